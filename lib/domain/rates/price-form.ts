import { type FormTexts, formChoice, formReader, formText, formWhole } from "@/lib/domain/fields/form";
import { type FieldError, problem } from "@/lib/domain/problems/problem";
import { findFiat } from "@/lib/domain/rates/currencies";
import { parseRate } from "@/lib/domain/rates/price";
import { type PriceSetting, parseMarkUp } from "@/lib/domain/rates/setting";

/** The form that sets the conversion of a merchant's prices in one currency. */
export const PRICE_FORM = {
  fiat: formText((typed) => {
    const fiat = findFiat(typed.trim());
    return fiat ? { value: fiat.code } : { problem: problem("currency_code_missing") };
  }),
  mode: formChoice(["market", "markup", "fixed"], problem("rate_mode_missing")),
  /** The markup in percent, read as basis points; 0 except in the mode `markup`. */
  markUp: formText((typed, { mode }) => {
    const value = mode === "markup" ? parseMarkUp(typed) : 0;
    return value === null ? { problem: problem("markup_malformed") } : { value };
  }),
  fixedRate: formText<bigint | null>((typed, { mode }) => {
    const text = typed.trim().replace(",", ".");
    if (text === "") return mode === "fixed" ? { problem: problem("fixed_rate_missing") } : { value: null };
    const value = parseRate(text);
    return value === null ? { problem: problem("fixed_rate_malformed") } : { value };
  }),
};

/** The conversion of prices in one currency, without the time when it was set. */
export type NewPrice = { fiat: string } & Omit<PriceSetting, "setAt">;

const readFields = formReader(PRICE_FORM);

/** Reads the form that sets the conversion of prices in one currency, or returns the problems of its fields. */
export function readPriceForm(form: Partial<FormTexts<typeof PRICE_FORM>>): NewPrice | { errors: FieldError[] } {
  const read = readFields(form);
  if ("errors" in read) return read;
  const { markUp, ...values } = read;
  return { ...values, markUpBasisPoints: markUp };
}

/** The form that sets the number of decimals of converted amounts. */
export const PRICE_DECIMALS_FORM = { decimals: formWhole({ min: 0, max: 6 }, problem("decimals_out_of_range")) };
