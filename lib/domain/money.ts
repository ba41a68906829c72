/** Decimals that a merchant may write; every `actual_amount` has at most these. */
export const PUBLIC_DECIMALS = 6;

/** The most that an order may ask for, in steps of 0.000001. */
export const MAX_STEPS = 1_000_000_000n * 10n ** BigInt(PUBLIC_DECIMALS);

const DECIMAL = /^(\d{1,78})(?:\.(\d{1,78}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Reads a decimal text ("10", "10.50", "1e2") as base units.
 * @returns null when the text is no plain decimal, or has a non-zero digit below `decimals`.
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

/** Writes base units as the shortest exact decimal text: 10500000n with 6 decimals is "10.5". */
export function formatUnits(units: bigint, decimals: number): string {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return sign + whole + (fraction ? `.${fraction}` : "");
}

/** The same amount in base units of a token with other decimals; a rest below that token's smallest unit is left out. */
export function rescaleUnits(units: bigint, fromDecimals: number, toDecimals: number): bigint {
  const shift = toDecimals - fromDecimals;
  return shift >= 0 ? units * 10n ** BigInt(shift) : units / 10n ** BigInt(-shift);
}

/** Base units of one public step (0.000001) of a token with `decimals` (at least 6). */
export function unitsPerStep(decimals: number): bigint {
  return 10n ** BigInt(decimals - PUBLIC_DECIMALS);
}
