import type { IncomingMessage } from "node:http";
import {
  cutObject,
  isEmptyArray,
  JsonNumber,
  type JsonObject,
  parseFlatObject,
  repeatedField,
} from "@/lib/domain/fields/json-value";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";

/** An API request, independent of the server that received it. */
export interface ApiCall {
  method: string;
  /** Path and query. */
  target: string;
  /** @param name in lower case */
  header(name: string): string | null;
  /** The address of the socket's peer, if no proxy is in between; null if a header indicates a proxy, or the peer is unknown. */
  directPeer: string | null;
  /** Reads the body as it arrives. @throws AppError 10001 with HTTP 413 as soon as it is too large, regardless of its declared length */
  readBody(): Promise<Uint8Array>;
}

/** Headers that a proxy adds. */
const PROXY_HEADERS = ["forwarded", "via", "x-forwarded-for", "x-real-ip"];

export const MAX_BODY_BYTES = 64 * 1024;

/** Returns the call of a request that Next.js received. */
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

/** Returns a request whose body is unread. X-Forwarded-For is used as in `forwardedFor`. */
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

/** Returns the client's address: X-Forwarded-For only behind a trusted proxy, otherwise the socket's peer. */
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
      if (!incoming.complete) reject(new AppError(problem("body_incomplete")));
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
  return new AppError(problem("body_too_large", { max: MAX_BODY_BYTES }), { headers: { Connection: "close" } });
}

/** The field whose exact text is preserved. */
const KEPT = "metadata";

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

const exactParse = JSON.parse as (text: string, reviver: Reviver) => unknown;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a request body as a JSON object in which every number is a JsonNumber, and the object `metadata` a JsonSource. An empty array
 * counts as an empty object.
 * @throws AppError 10001 when the body is anything else, or has a field twice
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  if (bytes.byteLength === 0) throw new AppError(problem("body_empty"));
  const text = decode(bytes);
  const flat = parseFlatObject(text);
  if (flat) return flat;
  const value = parse(text);
  if (isObject(value)) {
    const repeated = repeatedField(text);
    if (repeated !== null) throw new AppError(problem("field_repeated", { name: repeated.slice(0, 64) }));
    const hasKept = Object.hasOwn(value, KEPT) && isObject(value[KEPT]);
    return hasKept ? { ...value, [KEPT]: cutObject(text, KEPT) } : value;
  }
  if (isEmptyArray(value)) return {};
  throw new AppError(problem("body_not_object", { kind: kindOf(value), example: '{"mch_order_id": "1001"}' }));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new AppError(problem("body_not_utf8"));
  }
}

function parse(text: string): unknown {
  try {
    return exactParse(text, (_key, value, { source }) =>
      typeof value === "number" ? new JsonNumber(source ?? String(value)) : value,
    );
  } catch (error) {
    if (error instanceof RangeError) throw new AppError(problem("body_too_deep"));
    if (error instanceof SyntaxError) throw new AppError(problem("body_not_json", { reason: error.message }));
    throw error;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a non-empty array";
  return value instanceof JsonNumber ? "a number" : `a ${typeof value}`;
}
