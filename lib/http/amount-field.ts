import { PUBLIC_DECIMALS, parseUnits } from "@/lib/domain/money";
import { type Judge, seen } from "@/lib/http/fields";
import { JsonNumber } from "@/lib/http/json-body";

const MAX_STEPS = 1_000_000_000n * 10n ** BigInt(PUBLIC_DECIMALS);
const MAX_CHARACTERS = 100;
const MAX_DIGITS = 30;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** What `amount` must be, in words that follow "it must be". */
export const AMOUNT_RULE = "a number above 0 and at most 1000000000, with at most 6 decimals, such as 10.5";

/** Reads an amount, a JSON number or a decimal text, exactly: in steps of 0.000001. */
export const validateAmount: Judge<bigint> = (given) => {
  const refuse = (what: string) => ({ problem: `${seen(given)} ${what}; it must be ${AMOUNT_RULE}` });
  const text = given instanceof JsonNumber ? given.text : given;
  if (typeof text !== "string") return refuse("is not a number");
  if (text.length > MAX_CHARACTERS) return refuse("is written too long");
  const match = NUMBER.exec(text);
  if (!match) return refuse("is not a number");
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const digits = (whole + fraction).replace(/^0+/, "").replace(/0+$/, "");
  if (digits === "" || sign === "-") return refuse("is not above 0");
  // The value is digits × 10^power: a power that no amount can have never reaches the arithmetic.
  const trailingZeros = (whole + fraction).length - (whole + fraction).replace(/0+$/, "").length;
  const power = Number(exponent) - fraction.length + trailingZeros;
  if (power < -PUBLIC_DECIMALS) return refuse("has more than 6 decimals");
  if (digits.length + power > MAX_DIGITS) return refuse("is too large");
  const steps = parseUnits(`${digits}e${power}`, PUBLIC_DECIMALS);
  if (steps === null || steps > MAX_STEPS) return refuse("is too large");
  return { value: steps };
};
