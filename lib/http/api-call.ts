import type { IncomingMessage } from "node:http";
import type { Env } from "@/lib/config/env";
import { MAX_WHOLE } from "@/lib/domain/api/fields";
import { AppError } from "@/lib/errors";

/** A request as far as the API looks at it, whoever received it. */
export interface ApiCall {
  method: string;
  /** Path and query. */
  target: string;
  /** @param name in lower case */
  header(name: string): string | null;
  /** The client's address where nothing stands between: the socket's peer; null where a header names a proxy, or the peer is unknown. */
  directPeer: string | null;
  /** Reads the body as it arrives. @throws AppError 10001 with HTTP 413 as soon as it is too large, whatever its length claims */
  readBody(): Promise<Uint8Array>;
}

/** Headers that a proxy adds. */
const PROXY_HEADERS = ["forwarded", "via", "x-forwarded-for", "x-real-ip"];

export const MAX_BODY_BYTES = 64 * 1024;

/** A request that Next received. */
export function callOfRequest(request: Request): ApiCall {
  const { method, headers } = request;
  const { pathname, search } = new URL(request.url);
  return {
    method,
    target: pathname + search,
    header: (name) => headers.get(name),
    directPeer: null,
    async readBody() {
      refuseTooLarge(headers.get("content-length"));
      return collect(request.body ?? []);
    },
  };
}

/** A request whose body nobody began to read. X-Forwarded-For is believed as `forwardedFor` says. */
export function callOfIncoming(incoming: IncomingMessage, trustedProxies: number): ApiCall {
  const { method = "GET", url = "/", headers } = incoming;
  return {
    method,
    target: url,
    header(name) {
      if (name === "x-forwarded-for") return forwardedFor(incoming, trustedProxies);
      const value = headers[name];
      return value === undefined ? null : String(value);
    },
    directPeer: PROXY_HEADERS.some((name) => name in headers) ? null : (incoming.socket.remoteAddress ?? null),
    async readBody() {
      refuseTooLarge(headers["content-length"] ?? null);
      return receive(incoming);
    },
  };
}

/** X-Forwarded-For speaks for the client only behind a trusted proxy; else it is the socket's peer, whatever was sent. */
export function forwardedFor(incoming: IncomingMessage, trustedProxies: number): string {
  const sent = incoming.headers["x-forwarded-for"];
  return sent !== undefined && trustedProxies > 0 ? String(sent) : (incoming.socket.remoteAddress ?? "unknown");
}

function receive(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else reject(tooLarge());
    });
    incoming.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.on("error", reject);
    incoming.on("close", () => {
      if (!incoming.complete) reject(new AppError(10001, "The request ended before its body was complete"));
    });
  });
}

async function collect(stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refuseTooLarge(contentLength: string | null): void {
  if (Number(contentLength ?? 0) > MAX_BODY_BYTES) throw tooLarge();
}

function tooLarge(): AppError {
  return new AppError(10001, `The request body is larger than ${MAX_BODY_BYTES} bytes (64 KiB)`, {
    httpStatus: 413,
    headers: { Connection: "close" },
  });
}

/** A number of a JSON text with the digits it was written in. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object of a JSON text with the very text that it was written in. */
export class JsonSource {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** A key that an object of it, however deep, has twice; null where none does. */
  repeatedKey(): string | null {
    const open: (Set<string> | null)[] = [];
    for (const { token, isKey } of tokensOf(this.text)) {
      if (token === "{" || token === "[") open.push(token === "{" ? new Set() : null);
      else if (token === "}" || token === "]") open.pop();
      else if (isKey) {
        const key = JSON.parse(token) as string;
        if (open.at(-1)?.has(key)) return key;
        open.at(-1)?.add(key);
      }
    }
    return null;
  }
}

/** The field whose very text matters. */
const KEPT = "metadata";
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[[\]{}]/g;

/** Brackets and strings of a valid JSON text, in turn; `end` is the place after each, and after the colon of a key. */
function* tokensOf(text: string): Generator<{ token: string; isKey: boolean; end: number }> {
  for (const { 0: all, 1: string, 2: colon, index } of text.matchAll(TOKEN))
    yield { token: string ?? all, isKey: colon !== undefined, end: index + all.length };
}

/** Returns a key that the outermost object of a valid JSON text has twice, or null. Parsers disagree about which of the two counts. */
function repeatedField(text: string): string | null {
  const fields = new Set<string>();
  let depth = 0;
  for (const { token, isKey } of tokensOf(text)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (isKey && depth === 1) {
      const field = JSON.parse(token) as string;
      if (fields.has(field)) return field;
      fields.add(field);
    }
  }
  return null;
}

/** Cuts the object that a field holds out of a valid JSON text. */
function cut(text: string, field: string): JsonSource {
  let depth = 0;
  let from = -1;
  let cutOut = "";
  for (const { token, isKey, end } of tokensOf(text)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (isKey && depth === 1 && JSON.parse(token) === field) {
      from = end;
    }
    if (cutOut === "" && from >= 0 && depth === 1 && token === "}") cutOut = text.slice(from, end).trim();
  }
  return new JsonSource(cutOut);
}

export type JsonObject = Readonly<Record<string, unknown>>;

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

const exactParse = JSON.parse as (text: string, reviver: Reviver) => unknown;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a request body as a JSON object in which every number is a JsonNumber, and the object `metadata` a JsonSource. An empty array
 * counts as an empty object.
 * @throws AppError 10001 when the body is anything else, or has a field twice
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  if (bytes.byteLength === 0) throw refuse("The request body is empty; it must be a JSON object");
  const text = decode(bytes);
  const value = parse(text);
  if (isObject(value)) {
    const repeated = repeatedField(text);
    if (repeated !== null) throw refuse(`${repeated.slice(0, 64)} is there twice; give it once`);
    const hasKept = Object.hasOwn(value, KEPT) && isObject(value[KEPT]);
    return hasKept ? { ...value, [KEPT]: cut(text, KEPT) } : value;
  }
  if (isEmptyArray(value)) return {};
  throw refuse(`The request body is ${kindOf(value)}; it must be a JSON object such as {"mch_order_id": "1001"}`);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

/** PHP encodes an array without entries so, also where an object is meant. */
export function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
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
  if (Array.isArray(value)) return "an array with entries";
  return value instanceof JsonNumber ? "a number" : `a ${typeof value}`;
}

function refuse(message: string): AppError {
  return new AppError(10001, message);
}

/** What a field means, or what is wrong with it: words that follow the field's name. */
export type Validated<T> = { value: T } | { problem: string };
/** @param body the whole request, for fields that go together */
export type Validator<T> = (given: unknown, rules: OrderRules, body: JsonObject) => Validated<T>;
/** Words that follow "it must be"; made only where they are needed. */
type Words = string | ((rules: OrderRules) => string);

/** What of the settings decides about fields. */
export type OrderRules = Pick<Env, "rpcUrls" | "callbackAllowCidrs">;

const MAX_SHOWN = 60;
const END_OF_9999 = 253_402_300_799;

/**
 * A reader of these fields of a request's body; fields that nobody asks for are ignored.
 * It throws an AppError 10001 that lists every bad field at once.
 */
export function fieldsReader<T extends object>(validators: { [Field in keyof T]: Validator<T[Field]> }) {
  const all = Object.entries(validators) as [keyof T & string, Validator<T[keyof T & string]>][];
  return (body: JsonObject, rules: OrderRules): T => {
    const errors: { field: string; message: string }[] = [];
    const fields: Partial<T> = {};
    for (const [field, validate] of all) {
      const validated = validate(Object.hasOwn(body, field) ? body[field] : undefined, rules, body);
      if ("value" in validated) fields[field] = validated.value;
      else errors.push({ field, message: `${field} ${validated.problem}` });
    }
    if (errors.length === 0) return fields as T;
    throw new AppError(10001, errors.map(({ message }) => message).join("; "), { errors });
  };
}

/** A field that must be there. */
export function required<T>(rule: Words, validate: Validator<T>): Validator<T> {
  return (given, rules, body) =>
    isAbsent(given) ? { problem: `is missing; it must be ${inWords(rule, rules)}` } : validate(given, rules, body);
}

/** A field that may be left out, null or an empty text. */
export function optional<T>(validate: Validator<T>): Validator<T | null> {
  return (given, rules, body) => (isAbsent(given) || given === "" ? { value: null } : validate(given, rules, body));
}

/** A text that `validate` reads further. */
export function text<T>(rule: Words, validate: (given: string, rules: OrderRules) => Validated<T>): Validator<T> {
  return (given, rules) =>
    typeof given === "string"
      ? validate(given, rules)
      : { problem: `${seen(given)} must be ${inWords(rule, rules)}, as a text` };
}

function inWords(rule: Words, rules: OrderRules): string {
  return typeof rule === "string" ? rule : rule(rules);
}

/** A value as it was seen, shortened, for messages. */
export function seen(given: unknown): string {
  if (given instanceof JsonNumber) return shorten(given.text);
  if (typeof given === "string") return JSON.stringify(shorten(given));
  if (Array.isArray(given)) return "(a list)";
  return typeof given === "object" && given !== null ? "(an object)" : String(given);
}

function isAbsent(given: unknown): boolean {
  return given === undefined || given === null;
}

/** Whether a field is there with anything in it. */
export function isGiven(body: JsonObject, field: string): boolean {
  return Object.hasOwn(body, field) && !isAbsent(body[field]) && body[field] !== "";
}

function shorten(given: string): string {
  const characters = [...given.slice(0, 2 * MAX_SHOWN + 2)];
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join("")}…` : given;
}

/** A time in Unix seconds. What lies beyond the end of the year 9999 is that. */
export function validateTime(given: unknown): Validated<Date> {
  const seconds = wholeNumber(given);
  if (seconds >= 0) return { value: new Date(Math.min(seconds, END_OF_9999) * 1_000) };
  return { problem: `${seen(given)} is not a time; it must be Unix seconds, such as 1795197052` };
}

/** A whole number without a sign, as a number however it is written (1800, 1.8e3) or as its digits; NaN where it is none. */
export function wholeNumber(given: unknown): number {
  if (given instanceof JsonNumber) {
    const number = Number(given.text);
    return Number.isInteger(number) && number >= 0 && number <= MAX_WHOLE ? Math.abs(number) : Number.NaN;
  }
  return typeof given === "string" && /^\d{1,12}$/.test(given) ? Number(given) : Number.NaN;
}
