import type { ValuesOf } from "@/lib/domain/fields/field";
import { FORM_FLAG, type FormField, formReader, formWhole, optionalText } from "@/lib/domain/fields/form";
import { MAX_STEPS, PUBLIC_DECIMALS, parseUnits } from "@/lib/domain/money";
import { type OrderRules, type OrderTerms, TERMS } from "@/lib/domain/orders/terms";
import { type FieldError, type Problem, problem } from "@/lib/domain/problems/problem";

const { minutes, hours, holdMinutes, unpaidDays, percent } = TERMS;
const PERCENT_DECIMALS = 2;
const MAX_BASIS_POINTS = 1_000n;
const PLAIN_DECIMAL = /^\d{1,10}(\.\d{1,6})?$/;
const AMOUNT_PROBLEM = problem("amount_malformed", { decimals: PUBLIC_DECIMALS });

const minutesOf = ({ min, max }: { min: number; max: number }) =>
  formWhole({ min: min, max: max }, problem("minutes_out_of_range", { min: min, max: max }));

/** Returns a field of plain decimals above 0, read in units of their last decimal. */
function decimal(decimals: number, max: bigint, refused: Problem): FormField<bigint | null> {
  return optionalText((typed) => {
    const value = PLAIN_DECIMAL.test(typed) ? parseUnits(typed, decimals) : null;
    return value !== null && value >= 1n && value <= max ? { value } : { problem: refused };
  });
}

const amount = decimal(PUBLIC_DECIMALS, MAX_STEPS, AMOUNT_PROBLEM);

/** The form of a shop's order terms: the minutes until an order expires, the hours of its late window, and amounts in any currency. */
export const ORDER_TERMS_FORM = {
  linksShortPayments: FORM_FLAG,
  expiresIn: minutesOf(minutes),
  lateWindow: formWhole(
    { min: hours.min, max: hours.max },
    problem("hours_out_of_range", { min: hours.min, max: hours.max }),
  ),
  settledHold: minutesOf(holdMinutes),
  minAmount: amount,
  maxAmount: amount,
  tolerancePercent: decimal(
    PERCENT_DECIMALS,
    MAX_BASIS_POINTS,
    problem("percentage_malformed", { min: percent.min, max: percent.max }),
  ),
  toleranceAmount: amount,
  unpaidDays: optionalText((typed) => {
    const value = /^\d{1,4}$/.test(typed) ? Number(typed) : Number.NaN;
    if (value >= unpaidDays.min && value <= unpaidDays.max) return { value };
    return { problem: problem("days_out_of_range", { min: unpaidDays.min, max: unpaidDays.max }) };
  }),
};

const readFields = formReader(ORDER_TERMS_FORM);

/** Reads the form of a shop's order terms, or returns the problems of its fields. */
export function readTermsForm(
  form: Parameters<typeof readFields>[0],
): { terms: OrderTerms & Omit<OrderRules, "offMethods"> } | { errors: FieldError[] } {
  const read = readFields(form);
  return "errors" in read ? read : { terms: toTerms(read) };
}

function toTerms(values: ValuesOf<typeof ORDER_TERMS_FORM>): OrderTerms & Omit<OrderRules, "offMethods"> {
  return {
    expiresInSeconds: values.expiresIn * 60,
    lateWindowSeconds: values.lateWindow * 3_600,
    settledHoldSeconds: values.settledHold * 60,
    minMicro: values.minAmount,
    maxMicro: values.maxAmount,
    toleranceBasisPoints: values.tolerancePercent === null ? null : Number(values.tolerancePercent),
    toleranceMicro: values.toleranceAmount,
    unpaidDays: values.unpaidDays,
    linksShortPayments: values.linksShortPayments,
  };
}
