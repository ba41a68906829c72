const READ_FIELDS = ["pid", "type", "out_trade_no", "notify_url", "return_url", "name", "money", "param"];
const UNSIGNED = new Set(["sign", "sign_type"]);
const URL_FIELDS = new Set(["notify_url", "return_url"]);
const HOLDS_FIELD_OF_SHOP = /&(?:notify_url|return_url|out_trade_no)=/;

/**
 * Returns the name of a signed field of an EPay request whose name or value contains a second field, or null. The signed text joins names and
 * values with "&" and "=" and escapes nothing. A product name such as "book&notify_url=https://…" therefore has the same signature as a
 * request that contains this notify_url as a field and the real notify_url within the value of a different field. The URLs in notify_url
 * and return_url may contain parameters with the names of fields. The exceptions are notify_url, return_url, out_trade_no and the
 * request's own pid, which a forged request would have to hide in a URL.
 * @param more the names of the fields that a protocol reads besides those of EPay
 */
export function findAmbiguousField(
  fields: Readonly<Record<string, string>>,
  more: readonly string[] = [],
): string | null {
  const pid = `&pid=${fields["pid"] ?? ""}`;
  const holdsField = new RegExp(`&(?:${[...READ_FIELDS, ...more].join("|")})=`);
  const isAmbiguous = ([name, value]: [string, string]) => {
    if (UNSIGNED.has(name)) return false;
    if (/[&=]/.test(name)) return true;
    if (!URL_FIELDS.has(name)) return holdsField.test(value);
    return HOLDS_FIELD_OF_SHOP.test(value) || `${value}&`.includes(`${pid}&`);
  };
  return Object.entries(fields).find(isAmbiguous)?.[0] ?? null;
}
