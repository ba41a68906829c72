type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
type Unit = "second" | "minute" | "hour";

/**
 * Returns the number formats of a language: `plural` selects the form for a count, `unit` formats a duration ("5 minutes"). All languages
 * use Latin digits, because payers enter amounts outside this page and could misread a page with two kinds of digits.
 */
export function counting(lang: string) {
  const rules = new Intl.PluralRules(lang);
  const formatOf = (unit: Unit) =>
    new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long", numberingSystem: "latn" });
  const formats = { second: formatOf("second"), minute: formatOf("minute"), hour: formatOf("hour") };
  return {
    plural: (count: number, forms: Forms): string => forms[rules.select(count)] ?? forms.other,
    unit: (count: number, unit: Unit): string => formats[unit].format(count),
  };
}
