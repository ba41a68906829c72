import { JsonNumber } from "@/lib/domain/fields/json-value";
import { problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import { type ApiCall, parseJsonObject } from "@/lib/http/api-call";
import { type EpusdtFields, signedNumber } from "@/lib/integrations/epusdt/signature";

const MAX_FIELDS = 100;
/** The maximum length of a name in characters. */
const MAX_NAME = 64;
const MAX_VALUE = 4_096;

/**
 * Reads a request in the form in which it is signed: strings unchanged, numbers of JSON in their shortest decimal form, booleans as
 * "true" and "false", and null as "".
 * @throws AppError 10001 if it is neither a form nor JSON, contains a list or an object, or has too many or too long fields
 */
export async function readEpusdtFields(call: ApiCall): Promise<EpusdtFields> {
  const bytes = await call.readBody();
  const pairs = boundedPairs(isForm(call) ? formPairs(bytes) : jsonPairs(bytes));
  const repeated = pairs.find(([name], index) => pairs.findIndex(([other]) => other === name) !== index);
  if (repeated) throw new AppError(problem("field_repeated", { name: repeated[0].slice(0, MAX_NAME) }));
  return Object.fromEntries(pairs);
}

/** Reads the query of a request. @throws AppError 10001 if it has too many or too long fields */
export function readEpusdtQuery(call: ApiCall): EpusdtFields {
  return Object.fromEntries(boundedPairs(queryPairs(call)));
}

/**
 * Reads query and form as EPay does: the last value of a name counts, and the form takes precedence over the query.
 * @throws AppError 10001 if there are too many or too long fields
 */
export async function readEpusdtQueryAndForm(call: ApiCall): Promise<EpusdtFields> {
  const form = call.method === "POST" ? formPairs(await call.readBody()) : [];
  return Object.fromEntries(boundedPairs([...queryPairs(call), ...form]));
}

type Pair = [name: string, value: string];

const isForm = (call: ApiCall) => (call.header("content-type") ?? "").toLowerCase().includes("form-urlencoded");

const formPairs = (bytes: Uint8Array): Pair[] => [...new URLSearchParams(Buffer.from(bytes).toString("utf8"))];

function queryPairs({ target }: ApiCall): Pair[] {
  const at = target.indexOf("?");
  return at < 0 ? [] : [...new URLSearchParams(target.slice(at + 1))];
}

function boundedPairs(pairs: Pair[]): Pair[] {
  if (pairs.length > MAX_FIELDS)
    throw new AppError(problem("too_many_request_fields", { max: MAX_FIELDS, count: pairs.length }));
  for (const [name, value] of pairs) {
    if (name.length > MAX_NAME)
      throw new AppError(problem("field_name_too_long", { max: MAX_NAME, length: name.length }));
    if (value.length > MAX_VALUE)
      throw invalidField(name, problem("value_too_long", { name, max: MAX_VALUE, length: value.length }));
  }
  return pairs;
}

function jsonPairs(bytes: Uint8Array): Pair[] {
  return Object.entries(parseJsonObject(bytes)).map(([name, value]) => {
    if (value instanceof JsonNumber) return [name, signedNumber(value.text)];
    if (typeof value === "string") return [name, value];
    if (typeof value === "boolean") return [name, String(value)];
    if (value === null) return [name, ""];
    throw invalidField(name, problem("value_malformed", { name }));
  });
}

/** Returns the trimmed text of a field; "" if it is missing. */
export function textIn(fields: EpusdtFields, name: string): string {
  return Object.hasOwn(fields, name) ? (fields[name] ?? "").trim() : "";
}
