import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import { BLANK, type EpayFields } from "@/lib/integrations/shared/epay/signed-text";

/** The fields of an EPay request as bytes: each character represents one byte. Lists are left out. */
export interface EpayRequest {
  fields: EpayFields;
  /** The names of the fields in the URL. */
  inUrl: ReadonlySet<string>;
}

const MAX_FIELDS = 100;
const MAX_VALUE = 4_096;

/**
 * Reads query and form as PHP does: the last value of a name counts, and the form takes precedence over the query.
 * @throws AppError 10001 if there are too many or too long fields
 */
export async function readEpayRequest(call: ApiCall): Promise<EpayRequest> {
  const at = call.target.indexOf("?");
  const query = at < 0 ? [] : pairsOf(call.target.slice(at + 1));
  const body = call.method === "POST" ? Buffer.from(await call.readBody()).toString("latin1") : "";
  const form = pairsOf(body);
  const all = [...query, ...form].filter(([name]) => !name.includes("["));
  if (all.length > MAX_FIELDS) throw new AppError(problem("too_many_fields", { max: MAX_FIELDS }));
  const tooLong = all.find(([, value]) => value.length > MAX_VALUE);
  if (tooLong) throw new AppError(problem("value_too_many_bytes", { name: textOf(tooLong[0]), max: MAX_VALUE }));
  return { fields: Object.fromEntries(all), inUrl: new Set(query.map(([name]) => name)) };
}

function pairsOf(text: string): [name: string, value: string][] {
  return text
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.indexOf("=");
      return at < 0 ? [bytesOf(part), ""] : [bytesOf(part.slice(0, at)), bytesOf(part.slice(at + 1))];
    });
}

/** Decodes form encoding, with one character for each byte. */
function bytesOf(text: string): string {
  const raw = Buffer.from(text.replaceAll("+", " "), "latin1").toString("latin1");
  return raw.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Returns the text of a field; "" if it is missing or blank. Bytes that are not UTF-8 become U+FFFD. */
export function textIn(fields: EpayFields, name: string): string {
  const bytes = fields[name] ?? "";
  return BLANK.test(bytes) ? "" : textOf(bytes);
}

const textOf = (bytes: string) => Buffer.from(bytes, "latin1").toString("utf8");

/** Returns the beginning of a string: at most `maximum` bytes, and only whole characters. */
export function cutBytes(text: string, maximum: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= maximum ? text : new TextDecoder().decode(bytes.subarray(0, maximum), { stream: true });
}
