import { createHash, timingSafeEqual } from "node:crypto";

/** The fields of an EPay request or callback by their names. */
export type EpayFields = Readonly<Record<string, string>>;

/** A pattern for strings that PHP's trim reduces to an empty string. */
export const BLANK = /^[ \t\n\r\0\v]*$/;
const UNSIGNED = new Set(["sign", "sign_type"]);

/**
 * Returns the signature of EPay V1: the MD5, in lower-case hex, of all fields except sign, sign_type and blank ones, sorted by the bytes of
 * their names, with unescaped values, followed by the key without a separator.
 * @param encoding "latin1" if each character of the fields represents one byte
 */
export function signEpay(fields: EpayFields, key: string, encoding: "utf8" | "latin1" = "utf8"): string {
  const pairs = Object.entries(fields)
    .filter(([name, value]) => !UNSIGNED.has(name) && !BLANK.test(value))
    .map(([name, value]) => Buffer.from(`${name}=${value}`, encoding));
  const text = byName(pairs).flatMap((pair, index) => (index === 0 ? [pair] : [AND, pair]));
  return createHash("md5")
    .update(Buffer.concat([...text, Buffer.from(key)]))
    .digest("hex");
}

const AND = Buffer.from("&");

function byName(pairs: readonly Buffer[]): Buffer[] {
  const nameOf = (pair: Buffer) => pair.subarray(0, pair.indexOf("="));
  return pairs.toSorted((one, two) => Buffer.compare(nameOf(one), nameOf(two)));
}

/** Returns true if the fields, as bytes, have the signature of a key, in lower-case or upper-case hex. */
export function isSignedEpay(fields: EpayFields, key: string): boolean {
  const given = Buffer.from((fields["sign"] ?? "").toLowerCase(), "latin1");
  const right = Buffer.from(signEpay(fields, key, "latin1"));
  return given.length === right.length && timingSafeEqual(given, right);
}
