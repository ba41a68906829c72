import { AppError } from "@/lib/errors";

/** A number of a JSON text with the digits it was written in. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

const exactParse = JSON.parse as (text: string, reviver: Reviver) => unknown;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a request body as a JSON object in which every number is a JsonNumber.
 * @throws AppError 10001 in words when it is something else
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  if (bytes.byteLength === 0) throw refuse("The request body is empty; it must be a JSON object");
  const value = parse(decode(bytes));
  if (typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)) {
    return value as JsonObject;
  }
  throw refuse(`The request body is ${kindOf(value)}; it must be a JSON object such as {"mch_order_id": "1001"}`);
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw refuse("The request body is not UTF-8 text");
  }
}

function parse(text: string): unknown {
  try {
    return exactParse(text, (_key, value, { source }) =>
      typeof value === "number" ? new JsonNumber(source ?? String(value)) : value,
    );
  } catch (error) {
    if (error instanceof RangeError) throw refuse("The request body is nested too deeply");
    if (error instanceof SyntaxError) throw refuse(`The request body is not valid JSON: ${error.message}`);
    throw error;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return value instanceof JsonNumber ? "a number" : `a ${typeof value}`;
}

function refuse(message: string): AppError {
  return new AppError(10001, message);
}
