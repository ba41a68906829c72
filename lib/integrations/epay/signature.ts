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

const READ_FIELDS = ["pid", "type", "out_trade_no", "notify_url", "return_url", "name", "money", "param"];
const HOLDS_FIELD = new RegExp(`&(?:${READ_FIELDS.join("|")})=`);
const URL_FIELDS = new Set(["notify_url", "return_url"]);
const HOLDS_FIELD_OF_SHOP = /&(?:notify_url|return_url|out_trade_no)=/;

/**
 * Returns the name of a signed field whose value contains a second field, or null. The signed text joins names and values with "&" and "="
 * and escapes nothing. A product name such as "book&notify_url=https://…" therefore has the same signature as a request that contains this
 * notify_url as a field and the real notify_url within the value of a different field. The URLs in notify_url and return_url may contain
 * parameters with the names of fields. The exceptions are notify_url, return_url, out_trade_no and the request's own pid, which a forged
 * request would have to hide in a URL.
 */
export function findAmbiguousField(fields: EpayFields): string | null {
  const pid = `&pid=${fields["pid"] ?? ""}`;
  const isAmbiguous = ([name, value]: [string, string]) => {
    if (UNSIGNED.has(name)) return false;
    if (!URL_FIELDS.has(name)) return HOLDS_FIELD.test(value);
    return HOLDS_FIELD_OF_SHOP.test(value) || `${value}&`.includes(`${pid}&`);
  };
  return Object.entries(fields).find(isAmbiguous)?.[0] ?? null;
}
