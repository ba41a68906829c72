"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { QRCodeSVG } from "qrcode.react";
import { useEffect, useRef, useState } from "react";
import { createPaymentLink, type MadeLink } from "@/app/dashboard/orders/new/actions";
import type { Translate } from "@/components/messages/translate";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { SelectField, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { type FormState, useForm } from "@/components/ui/form/form-state";
import { Identifier } from "@/components/ui/identifier";
import { CURRENCIES, type NetworkName } from "@/lib/domain/networks";
import { FIAT_CODES } from "@/lib/domain/rates/currencies";

const MINUTES = [15, 30];
const HOURS = [1, 3, 12, 24];
const UNITS = [...CURRENCIES, ...FIAT_CODES].map((unit) => ({ value: unit, text: unit }));

interface NewOrderFormProps {
  networks: readonly NetworkName[];
  /** The generated order number that is used if the user enters none, so that a form that is submitted twice creates one order. */
  madeUp: string;
  /** The maximum lengths of the typed fields, in characters. */
  max: { subject: number; number: number };
}

/** Renders the form that creates a payment link, then the link. */
export function NewOrderForm({ networks, madeUp, max }: NewOrderFormProps) {
  const t = useTranslations("newOrder");
  const [made, setMade] = useState<MadeLink | null>(null);
  const form = useForm(createPaymentLink, setMade);
  const router = useRouter();
  if (made) {
    const again = () => {
      setMade(null);
      router.refresh();
    };
    return <Made link={made} onAgain={again} />;
  }
  return (
    <Card className="max-w-xl">
      <Form form={form}>
        <input type="hidden" name="madeUp" value={madeUp} />
        <div className="grid grid-cols-[1fr_auto] items-start gap-3">
          <TextField
            label={t("amount")}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            placeholder="25.00"
            error={form.errorOf("amount")}
          />
          <SelectField label={t("unit")} name="unit" options={UNITS} error={form.errorOf("unit")} />
        </div>
        <SelectField
          label={t("network")}
          name="network"
          options={[
            { value: "", text: t("payerChooses") },
            ...networks.map(({ id, name }) => ({ value: id, text: name })),
          ]}
          error={form.errorOf("network")}
        />
        <OwnTexts form={form} max={max} />
        <SelectField label={t("expires")} name="expiresIn" options={spansOf(t)} error={form.errorOf("expiresIn")} />
        <div>
          <Button type="submit" look="primary" isBusy={form.isBusy}>
            {t("create")}
          </Button>
        </div>
      </Form>
    </Card>
  );
}

function spansOf(t: Translate<"newOrder">) {
  return [
    { value: "", text: t("usual") },
    ...MINUTES.map((count) => ({ value: String(count * 60), text: t("minutes", { count }) })),
    ...HOURS.map((count) => ({ value: String(count * 3_600), text: t("hours", { count }) })),
  ];
}

function OwnTexts({ form, max }: { form: FormState } & Pick<NewOrderFormProps, "max">) {
  const t = useTranslations("newOrder");
  return (
    <>
      <TextField
        label={t("subject")}
        name="subject"
        autoComplete="off"
        maxLength={max.subject}
        hint={t("subjectHint")}
        error={form.errorOf("subject")}
      />
      <TextField
        label={t("ownNumber")}
        name="ownNumber"
        autoComplete="off"
        maxLength={max.number}
        hint={t("ownNumberHint")}
        error={form.errorOf("ownNumber")}
      />
    </>
  );
}

function Made({ link: { url, number, tradeId, isReplayed }, onAgain }: { link: MadeLink; onAgain(): void }) {
  const t = useTranslations("newOrder");
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const mail = `mailto:?${new URLSearchParams({
    subject: t("mailSubject", { number }),
    body: t("mailBody", { url }),
  })}`.replaceAll("+", "%20");
  return (
    <Card className="max-w-xl">
      <div className="grid gap-4">
        <p ref={heading} tabIndex={-1} className="font-semibold">
          {t(isReplayed ? "madeBefore" : "made")}
        </p>
        <div className="w-fit rounded-lg bg-white p-3">
          <QRCodeSVG value={url} size={176} marginSize={2} title={t("code")} />
        </div>
        <Identifier text={url} what={t("link")} />
        <div className="flex flex-wrap gap-2">
          <CopyButton text={url} what={t("link")} isWide />
          <Button asChild size="small">
            <a href={mail}>{t("mail")}</a>
          </Button>
          <Button asChild size="small">
            <Link href={`/dashboard/orders/${tradeId}`}>{t("show")}</Link>
          </Button>
          <Button size="small" onClick={onAgain}>
            {t("another")}
          </Button>
        </div>
      </div>
    </Card>
  );
}
