"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { createPaymentLink } from "@/app/dashboard/links/actions";
import type { Translate } from "@/components/messages/translate";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Choice, SelectField, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { type FormState, useForm } from "@/components/ui/form/form-state";
import { MAX_SUBJECT } from "@/lib/domain/api/limits";
import { LINK_EXPIRES_IN, MAX_NOTE_LABEL } from "@/lib/domain/links/link";
import { CURRENCIES, type NetworkName } from "@/lib/domain/networks";
import { FIAT_CODES } from "@/lib/domain/rates/currencies";

const DAY_SECONDS = 86_400;
const DAYS = [1, 7, 30, 90];
const UNITS = [...CURRENCIES, ...FIAT_CODES].map((unit) => ({ value: unit, text: unit }));

interface CreateLinkProps {
  /** The networks on which the merchant can be paid. */
  networks: readonly NetworkName[];
  /** True if the dialog is open when the page is shown. */
  isOpenAtFirst: boolean;
}

/** Renders the button that creates a payment link, and its dialog. The page of the new link follows. */
export function CreateLink({ networks, isOpenAtFirst }: CreateLinkProps) {
  const t = useTranslations("linkPages.create");
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        {t("button")}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={t("title")} hint={t("hint")}>
        <CreateForm networks={networks} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** Returns a random number of a link, so that a form that is submitted twice creates one link. */
function newNumber(): string {
  return `link-${[...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function CreateForm({ networks, onDone }: Pick<CreateLinkProps, "networks"> & { onDone(): void }) {
  const t = useTranslations("linkPages");
  const router = useRouter();
  const [madeUp] = useState(newNumber);
  const form = useForm(createPaymentLink, ({ id }) => {
    toast.success(t("create.done"));
    onDone();
    router.push(`/dashboard/links/${id}`);
  });
  return (
    <Form form={form}>
      <input type="hidden" name="madeUp" value={madeUp} />
      <AmountFields form={form} />
      <SelectField
        label={t("network")}
        name="network"
        options={[
          { value: "", text: t("payerChooses") },
          ...networks.map(({ id, name }) => ({ value: id, text: name })),
        ]}
        error={form.errorOf("network")}
      />
      <TextField
        label={t("create.subject")}
        name="subject"
        autoComplete="off"
        maxLength={MAX_SUBJECT}
        hint={t("create.subjectHint")}
        error={form.errorOf("subject")}
      />
      <TextField
        label={t("create.note")}
        name="noteLabel"
        autoComplete="off"
        maxLength={MAX_NOTE_LABEL}
        hint={t("create.noteHint")}
        error={form.errorOf("noteLabel")}
      />
      <EndFields form={form} />
      <TextField
        label={t("create.uses")}
        name="maxUses"
        inputMode="numeric"
        autoComplete="off"
        placeholder={t("anyNumber")}
        hint={t("create.usesHint")}
        error={form.errorOf("maxUses")}
      />
      <DialogActions>
        <Button onClick={onDone}>{t("back")}</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {t("create.button")}
        </Button>
      </DialogActions>
    </Form>
  );
}

function AmountFields({ form }: { form: FormState }) {
  const t = useTranslations("linkPages");
  const [kind, setKind] = useState<"fixed" | "open">("fixed");
  const amountField = (name: "amount" | "min" | "max", label: string, hint?: string) => (
    <TextField
      label={label}
      name={name}
      inputMode="decimal"
      autoComplete="off"
      placeholder="25.00"
      hint={hint}
      error={form.errorOf(name)}
    />
  );
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 font-medium">{t("create.kind")}</legend>
        {(["fixed", "open"] as const).map((one) => (
          <Choice
            key={one}
            type="radio"
            name="kind"
            value={one}
            label={t(`create.${one}`)}
            checked={kind === one}
            onChange={() => setKind(one)}
          />
        ))}
      </fieldset>
      <div
        className={
          kind === "fixed"
            ? "grid grid-cols-[1fr_auto] items-start gap-3"
            : "grid grid-cols-[1fr_1fr_auto] items-start gap-3"
        }
      >
        {kind === "fixed" ? (
          amountField("amount", t("amount"))
        ) : (
          <>
            {amountField("min", t("create.min"), t("create.boundHint"))}
            {amountField("max", t("create.max"), t("create.boundHint"))}
          </>
        )}
        <SelectField label={t("currency")} name="unit" options={UNITS} error={form.errorOf("unit")} />
      </div>
    </>
  );
}

function EndFields({ form }: { form: FormState }) {
  const t = useTranslations("linkPages");
  const [expires, setExpires] = useState(String(LINK_EXPIRES_IN.usual));
  return (
    <>
      <SelectField
        label={t("create.expires")}
        name="expires"
        options={spansOf(t)}
        value={expires}
        onChange={(event) => setExpires(event.target.value)}
        error={form.errorOf("expires")}
      />
      {expires === "date" ? (
        <TextField
          label={t("create.lastDay")}
          name="lastDay"
          type="date"
          required
          hint={t("create.lastDayHint")}
          error={form.errorOf("lastDay")}
        />
      ) : null}
    </>
  );
}

function spansOf(t: Translate<"linkPages">) {
  return [
    ...DAYS.map((count) => ({ value: String(count * DAY_SECONDS), text: t("create.days", { count }) })),
    { value: "date", text: t("create.date") },
    { value: "0", text: t("create.never") },
  ];
}
