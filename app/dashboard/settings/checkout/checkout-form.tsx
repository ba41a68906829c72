"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { saveCheckout } from "@/app/dashboard/settings/checkout/actions";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Choice, TextAreaField, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { type FormState, useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import type { BrandForm } from "@/lib/domain/checkout/brand";
import { accentOf, parseHex, type Shade } from "@/lib/domain/checkout/colour";

interface CheckoutFormProps {
  known: BrandForm;
  /** The logo as WebP in base64. */
  logo: string | null;
  merchantName: string;
  /** All languages of the payment page, each with its own name. */
  languages: readonly { lang: string; name: string }[];
  canChange: boolean;
}

/** Renders the form for the appearance of payment pages. Read-only users see it without a button. */
export function CheckoutForm({ known, logo, merchantName, languages, canChange }: CheckoutFormProps) {
  const t = useTranslations("checkout");
  const form = useForm(saveCheckout, () => void toast.success(t("saved")));
  return (
    <Form form={form}>
      <fieldset disabled={!canChange} className="grid min-w-0 items-start gap-4 lg:grid-cols-2">
        <Card title={t("brand")} hint={t("brandHint")}>
          <BrandFields form={form} known={known} logo={logo} merchantName={merchantName} />
        </Card>
        <Card title={t("help")}>
          <div className="grid gap-4">
            <TextField
              label={t("support")}
              name="supportUrl"
              autoComplete="off"
              defaultValue={known.supportUrl}
              placeholder="help@shop.example.com"
              hint={t("supportHint")}
              error={form.errorOf("supportUrl")}
            />
            <TextAreaField
              label={t("frames")}
              name="frameParents"
              rows={3}
              isMono
              spellCheck={false}
              defaultValue={known.frameParents}
              placeholder="https://shop.example.com"
              hint={t("framesHint")}
              error={form.errorOf("frameParents")}
            />
          </div>
        </Card>
        <LanguageFields languages={languages} offered={known.languages.split(" ")} />
      </fieldset>
      {canChange ? (
        <div className="grid max-w-sm gap-4">
          <ProveAgain />
          <div>
            <Button type="submit" look="primary" isBusy={form.isBusy}>
              {t("save")}
            </Button>
          </div>
        </div>
      ) : null}
    </Form>
  );
}

function LanguageFields({ languages, offered }: Pick<CheckoutFormProps, "languages"> & { offered: readonly string[] }) {
  const t = useTranslations("checkout");
  return (
    <Card title={t("languages")} hint={t("languagesHint")}>
      <ul className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        {languages.map(({ lang, name }) => (
          <li key={lang} lang={lang}>
            <Choice
              type="checkbox"
              name="languages"
              value={lang}
              defaultChecked={offered.includes(lang)}
              label={name}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function BrandFields({
  form,
  known,
  logo,
  merchantName,
}: Omit<CheckoutFormProps, "canChange" | "languages"> & { form: FormState }) {
  const t = useTranslations("checkout");
  const [accent, setAccent] = useState(known.accent);
  return (
    <div className="grid gap-4">
      <TextField
        label={t("name")}
        name="shownName"
        autoComplete="off"
        defaultValue={known.shownName}
        placeholder={merchantName}
        hint={t("nameHint", { shop: merchantName })}
        error={form.errorOf("shownName")}
      />
      <TextField
        label={t("logo")}
        name="logoUrl"
        inputMode="url"
        autoComplete="off"
        defaultValue={known.logoUrl}
        placeholder="https://shop.example.com/logo.png"
        hint={t("logoHint")}
        error={form.errorOf("logoUrl")}
      />
      {logo ? <PresentLogo logo={logo} /> : null}
      <div className="grid gap-2">
        <TextField
          label={t("accent")}
          name="accent"
          autoComplete="off"
          isMono
          value={accent}
          onChange={(event) => setAccent(event.currentTarget.value)}
          placeholder="#0b7a4b"
          hint={t("accentHint")}
          error={form.errorOf("accent")}
        />
        <Samples typed={accent} />
      </div>
    </div>
  );
}

function PresentLogo({ logo }: { logo: string }) {
  const t = useTranslations("checkout");
  return (
    <div className="flex flex-wrap items-center gap-3">
      {/* The logo on both backgrounds, as payers see it. */}
      {["bg-white", "bg-[#141920]"].map((background) => (
        <span
          key={background}
          className={`size-12 rounded-lg border border-line bg-center bg-no-repeat ${background}`}
          style={{ backgroundImage: `url(data:image/webp;base64,${logo})`, backgroundSize: "2rem" }}
        />
      ))}
      <Choice type="checkbox" name="isLogoNew" label={t("fetchAgain")} hint={t("fetchAgainHint")} />
    </div>
  );
}

/** Renders samples of the color while the user types it. */
function Samples({ typed }: { typed: string }) {
  const t = useTranslations("checkout");
  const colour = parseHex(typed);
  const accent = colour === null ? null : accentOf(colour);
  if (accent === null) return null;
  if ("problem" in accent) return <p className="text-[0.8125rem] text-warn">{t("tooPale")}</p>;
  const samples: [string, string, Shade][] = [
    [t("byDay"), "#ffffff", accent.light],
    [t("byNight"), "#141920", accent.dark],
  ];
  return (
    <div className="flex flex-wrap gap-2">
      {samples.map(([text, background, { fill, text: color }]) => (
        <span key={text} className="rounded-lg border border-line p-2.5" style={{ background }}>
          <span className="rounded-lg px-3.5 py-2 font-medium" style={{ background: fill, color }}>
            {text}
          </span>
        </span>
      ))}
    </div>
  );
}
