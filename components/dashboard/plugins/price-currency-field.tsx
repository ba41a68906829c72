"use client";

import { useLocale, useTranslations } from "next-intl";
import { SelectField } from "@/components/ui/form/field";
import { TOKEN_PRICES } from "@/lib/domain/integrations/settings";
import { FIAT_CODES } from "@/lib/domain/rates/currencies";

interface PriceCurrencyFieldProps {
  /** The currency that is selected initially; null: tokens; undefined: none, so that the user must select one. */
  fiat: string | null | undefined;
  error: string | undefined;
}

/** Renders the field that selects the currency of the prices that plugins send. */
export function PriceCurrencyField({ fiat, error }: PriceCurrencyFieldProps) {
  const t = useTranslations("plugins");
  const names = new Intl.DisplayNames([useLocale()], { type: "currency" });
  const options = [
    ...(fiat === undefined ? [{ value: "", text: t("pricesUnselected") }] : []),
    { value: TOKEN_PRICES, text: t("pricesInTokens") },
    ...FIAT_CODES.map((code) => ({ value: code, text: `${code} · ${names.of(code)}` })),
  ];
  return (
    <SelectField
      label={t("prices")}
      name="fiat"
      defaultValue={fiat === undefined ? "" : (fiat ?? TOKEN_PRICES)}
      options={options}
      hint={t("pricesHint")}
      error={error}
    />
  );
}
