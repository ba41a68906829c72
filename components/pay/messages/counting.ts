type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
type Unit = "second" | "minute" | "hour";

/**
 * How a language counts: `plural` picks the form that goes with a count, `unit` says a duration ("5 minutes"). Digits are Latin in
 * every language: what must be typed elsewhere is, and a page with two sorts of digits is read wrong.
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
