type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
type Unit = "second" | "minute" | "hour";

/**
 * Returns the number formats of a language: `plural` selects the form for a count, `unit` formats a duration ("5 minutes"). All languages
 * use Latin digits, because payers enter amounts outside this page and could misread a page with two kinds of digits.
 */
export function counting(lang: string) {
  // Creating the formats of all languages at startup would take 15 ms.
  let rules: Intl.PluralRules | undefined;
  const formats: Partial<Record<Unit, Intl.NumberFormat>> = {};
  return {
    plural(count: number, forms: Forms): string {
      rules ??= new Intl.PluralRules(lang);
      return forms[rules.select(count)] ?? forms.other;
    },
    unit(count: number, unit: Unit): string {
      formats[unit] ??= new Intl.NumberFormat(lang, {
        style: "unit",
        unit,
        unitDisplay: "long",
        numberingSystem: "latn",
      });
      return formats[unit].format(count);
    },
  };
}
