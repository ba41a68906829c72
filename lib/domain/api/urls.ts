import { LOCAL_ZONES, readHttpUrl, validateCallbackUrl } from "@/lib/domain/callbacks/address-rule";
import { textField } from "@/lib/domain/fields/field";
import type { Schema } from "@/lib/domain/fields/json-schema";
import { digitsBetween } from "@/lib/domain/fields/values";
import { problem } from "@/lib/domain/problems/problem";

/** The maximum length of a URL in the API document. */
const MAX_URL = 2_048;
const HOST_LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,38}[A-Za-z0-9])?";
const URL_RULE = problem("rule_url");

/** A URL to which callbacks may be sent. */
export const CALLBACK_URL = textField(URL_RULE, urlSchema(true), (given, { callbackAllowCidrs }) => {
  const invalid = validateCallbackUrl(given, { allowCidrs: callbackAllowCidrs });
  return invalid ? { problem: invalid } : { value: given };
});

/** A URL to which a payer's browser may be redirected. */
export const HTTP_URL = textField(URL_RULE, urlSchema(false), (given) => {
  const read = readHttpUrl(given, "https://shop.example.com/thanks");
  return "problem" in read ? read : { value: given };
});

/**
 * Returns the schema of an ordinary URL. Every URL that matches the schema is accepted; the readers also accept others, such as public IP
 * addresses. The schema has no format, because RFC 3986 excludes characters that shops use, such as braces and Chinese characters.
 */
function urlSchema(isPublic: boolean): Schema {
  const local = ["localhost", "arpa", ...LOCAL_ZONES.filter((zone) => !zone.includes("."))].join("|");
  const last = isPublic ? `(?!(${local})([:/?#]|$))[A-Za-z]{2,40}` : "[A-Za-z]{1,40}";
  const host = `(${HOST_LABEL}\\.){${isPublic ? 1 : 0},4}${last}`;
  const port = `(:(80|443|${digitsBetween(1_024, 65_535).slice(2, -2)}))?`;
  return { type: "string", maxLength: MAX_URL, pattern: `^https?://${host}${port}([/?#][!-~]*)?$` };
}
