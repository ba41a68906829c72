/** The maximum number of decimals in a merchant's amounts, and in every `actual_amount`. */
export const PUBLIC_DECIMALS = 6;

/** The maximum amount of an order, in steps of 0.000001. */
export const MAX_STEPS = 1_000_000_000n * 10n ** BigInt(PUBLIC_DECIMALS);

const DECIMAL = /^(\d{1,78})(?:\.(\d{1,78}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Parses a decimal string ("10", "10.50", "1e2") as base units.
 * @returns null if the string is not a plain decimal, or has a non-zero digit below `decimals`.
 */
export function parseUnits(text: string, decimals: number): bigint | null {
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, whole = "", fraction = "", exponent = "0"] = match;
  const shift = decimals - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return digits % divisor === 0n ? digits / divisor : null;
}

/** Returns base units as the shortest exact decimal string: 10500000n with 6 decimals is "10.5". */
export function formatUnits(units: bigint, decimals: number): string {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return sign + whole + (fraction ? `.${fraction}` : "");
}

/** Returns a decimal amount as it is shown: with two decimals, or all significant ones if there are more ("49.9" is "49.90"). */
export function displayAmount(decimal: string): string {
  const [whole = "", fraction = ""] = decimal.split(".");
  return `${whole}.${fraction.padEnd(2, "0")}`;
}

/** Formats millionths of a currency as the shortest exact decimal string. */
export function formatMicro(microUnits: bigint): string {
  return formatUnits(microUnits, PUBLIC_DECIMALS);
}

/** Formats millionths of a currency as they are shown: with two decimals, or all significant ones if there are more. */
export function displayMicro(microUnits: bigint): string {
  return displayAmount(formatMicro(microUnits));
}

/** Parses a decimal token amount as millionths; null if it is malformed or has more than six decimals. */
export function parseMicro(amount: string): bigint | null {
  return parseUnits(amount, PUBLIC_DECIMALS);
}

const MAX_DECIMALS = 18;

/** Returns the difference of two decimal amounts of at most 18 decimals, as a decimal string that is never negative. */
export function differenceText(one: string, other: string): string {
  const difference = (parseUnits(one, MAX_DECIMALS) ?? 0n) - (parseUnits(other, MAX_DECIMALS) ?? 0n);
  return formatUnits(difference < 0n ? -difference : difference, MAX_DECIMALS);
}

/** Returns the same amount in base units of a token with different decimals; a remainder below that token's smallest unit is dropped. */
export function rescaleUnits(units: bigint, fromDecimals: number, toDecimals: number): bigint {
  const shift = toDecimals - fromDecimals;
  return shift >= 0 ? units * 10n ** BigInt(shift) : units / 10n ** BigInt(-shift);
}

/** Returns the base units of one public step (0.000001) of a token with `decimals` (at least 6). */
export function unitsPerStep(decimals: number): bigint {
  return 10n ** BigInt(decimals - PUBLIC_DECIMALS);
}
