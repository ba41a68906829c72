/** The fields of an EPay request or callback by their names. */
export type EpayFields = Readonly<Record<string, string>>;

/** A pattern for strings that PHP's trim reduces to an empty string. */
export const BLANK = /^[ \t\n\r\0\v]*$/;
const UNSIGNED = new Set(["sign", "sign_type"]);
const AND = Buffer.from("&");

/**
 * Returns the text that EPay signs: all fields except sign, sign_type and blank ones, sorted by the bytes of their names, with unescaped
 * values, as name=value joined with "&".
 * @param encoding "latin1" if each character of the fields represents one byte
 */
export function signedText(fields: EpayFields, encoding: "utf8" | "latin1"): Buffer {
  const pairs = Object.entries(fields)
    .filter(([name, value]) => !UNSIGNED.has(name) && !BLANK.test(value))
    .map(([name, value]) => Buffer.from(`${name}=${value}`, encoding));
  return Buffer.concat(byName(pairs).flatMap((pair, index) => (index === 0 ? [pair] : [AND, pair])));
}

function byName(pairs: readonly Buffer[]): Buffer[] {
  const nameOf = (pair: Buffer) => pair.subarray(0, pair.indexOf("="));
  return pairs.toSorted((one, two) => Buffer.compare(nameOf(one), nameOf(two)));
}
