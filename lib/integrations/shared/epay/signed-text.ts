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

const READ_FIELDS = ["pid", "type", "out_trade_no", "notify_url", "return_url", "name", "money", "param"];
const HOLDS_FIELD = new RegExp(`&(?:${READ_FIELDS.join("|")})=`);
const URL_FIELDS = new Set(["notify_url", "return_url"]);
const HOLDS_FIELD_OF_SHOP = /&(?:notify_url|return_url|out_trade_no)=/;

/**
 * Returns the name of a signed field whose name or value contains a second field, or null. The signed text joins names and values with "&" and "="
 * and escapes nothing. A product name such as "book&notify_url=https://…" therefore has the same signature as a request that contains this
 * notify_url as a field and the real notify_url within the value of a different field. The URLs in notify_url and return_url may contain
 * parameters with the names of fields. The exceptions are notify_url, return_url, out_trade_no and the request's own pid, which a forged
 * request would have to hide in a URL.
 */
export function findAmbiguousField(fields: EpayFields): string | null {
  const pid = `&pid=${fields["pid"] ?? ""}`;
  const isAmbiguous = ([name, value]: [string, string]) => {
    if (UNSIGNED.has(name)) return false;
    if (/[&=]/.test(name)) return true;
    if (!URL_FIELDS.has(name)) return HOLDS_FIELD.test(value);
    return HOLDS_FIELD_OF_SHOP.test(value) || `${value}&`.includes(`${pid}&`);
  };
  return Object.entries(fields).find(isAmbiguous)?.[0] ?? null;
}
