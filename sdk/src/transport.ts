import type { Operations } from "./api.ts";
import { ApiError, type ApiErrorCode, ConnectionError } from "./errors.ts";
import { signMessage, toBytes } from "./signature.ts";

/** Settings of one call. */
export interface CallOptions {
  /** Aborts the call. The call then throws the reason of the signal. */
  signal?: AbortSignal;
  /** The time for each attempt, in milliseconds. */
  timeoutMs?: number;
}

/** The settings of requests. */
export interface TransportSettings {
  baseUrl: string;
  apiKey: string;
  /** Signs every request; null for requests without a signature. */
  secret: string | null;
  timeoutMs: number;
  maxRetries: number;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

const BASE_PATH = "/api/v1/pay/";
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 60_000;
/** A smaller difference between the clocks does not explain a refused signature. */
const MIN_SKEW_MS = 60_000;
const UNAUTHENTICATED = 10002;
const INTERNAL = 10099;

/** Sends requests, and repeats them after network errors and responses that ask for it. All operations are idempotent. */
export class Transport {
  readonly #settings: TransportSettings;
  /** The server's clock minus this one, in milliseconds. It is known once a signature was refused because of it. */
  #skewMs = 0;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /**
   * Sends a request and returns the `data` of the response.
   * @throws ApiError or ConnectionError after the last attempt
   */
  async send<Path extends keyof Operations>(
    path: Path,
    body: object,
    options: CallOptions = {},
  ): Promise<Operations[Path]["response"]> {
    for (let attempt = 0; ; attempt++) {
      try {
        return (await this.#attempt(path, JSON.stringify(body), options)) as Operations[Path]["response"];
      } catch (error) {
        options.signal?.throwIfAborted();
        const waitMs = attempt < this.#settings.maxRetries ? waitBefore(attempt, error) : null;
        if (waitMs === null) throw error;
        await sleep(waitMs, options.signal);
      }
    }
  }

  /** Makes one attempt, and a second one if the signature was refused because the clocks differ. */
  async #attempt(path: string, text: string, options: CallOptions): Promise<unknown> {
    const sentAt = this.#now();
    const { response, body } = await this.#exchange(path, text, options);
    const error = toApiError(response, body);
    if (error === null) return (body as { data: unknown }).data;
    if (error.code !== UNAUTHENTICATED || !this.#learnSkew(response, sentAt)) throw error;
    const again = await this.#exchange(path, text, options);
    const secondError = toApiError(again.response, again.body);
    if (secondError) throw secondError;
    return (again.body as { data: unknown }).data;
  }

  async #exchange(path: string, text: string, options: CallOptions): Promise<{ response: Response; body: unknown }> {
    const { baseUrl, timeoutMs, fetch } = this.#settings;
    const url = new URL(`${baseUrl.replace(/\/+$/, "")}${BASE_PATH}${path}`);
    const headers = await this.#headers(url, text);
    const deadline = new AbortController();
    const limitMs = options.timeoutMs ?? timeoutMs;
    const timer = setTimeout(() => deadline.abort(), limitMs);
    const abort = (): void => deadline.abort();
    options.signal?.addEventListener("abort", abort);
    try {
      options.signal?.throwIfAborted();
      const response = await fetch(url.href, {
        method: "POST",
        headers,
        body: text,
        redirect: "manual",
        signal: deadline.signal,
      });
      return { response, body: readJson(await response.text()) };
    } catch (cause) {
      options.signal?.throwIfAborted();
      if (deadline.signal.aborted)
        throw new ConnectionError("timeout", `${path}: no response within ${limitMs} ms.`, { cause });
      throw new ConnectionError("network", `${path}: ${describeCause(cause)}.`, { cause });
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", abort);
    }
  }

  async #headers(url: URL, text: string): Promise<Record<string, string>> {
    const headers = {
      "content-type": "application/json",
      accept: "application/json",
      "x-api-key": this.#settings.apiKey,
    };
    if (this.#settings.secret === null) return headers;
    const id = `req_${crypto.randomUUID()}`;
    const timestamp = Math.floor(this.#now() / 1000).toString();
    const content = toBytes(`POST ${url.pathname}${url.search}\n${text}`);
    const signature = `v1,${await signMessage(this.#settings.secret, id, timestamp, content)}`;
    return { ...headers, "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  }

  #now(): number {
    return Date.now() + this.#skewMs;
  }

  /** Corrects the clock by the `Date` of a response. @returns true if the clocks differ enough to explain a refused signature */
  #learnSkew(response: Response, sentAt: number): boolean {
    const serverTime = Date.parse(response.headers.get("date") ?? "");
    if (this.#settings.secret === null || !(Math.abs(serverTime - sentAt) > MIN_SKEW_MS)) return false;
    this.#skewMs = serverTime - Date.now();
    return true;
  }
}

/** Waits, and throws the reason of the signal if it is aborted meanwhile. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Returns the wait before the next attempt in milliseconds; null if another attempt is useless or would wait too long. */
export function waitBefore(attempt: number, error: unknown): number | null {
  const backoffMs = FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2);
  if (error instanceof ConnectionError) return error.code === "invalid_response" ? null : backoffMs;
  if (!(error instanceof ApiError) || (error.status !== 429 && error.status < 500)) return null;
  const waitMs = Math.max(backoffMs, (error.retryAfterSeconds ?? 0) * 1000);
  return waitMs <= MAX_WAIT_MS ? waitMs : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the error of a response; null if the request succeeded. A proxy may respond with a body that is not the API's. */
function toApiError(response: Response, body: unknown): ApiError | null {
  const envelope = (typeof body === "object" && body !== null ? body : {}) as Partial<Envelope>;
  if (response.ok && envelope.code === 0 && "data" in envelope) return null;
  const { status, headers } = response;
  const isEnvelope = typeof envelope.code === "number" && envelope.code !== 0;
  const isTemporary = status === 429 || status >= 500;
  if (!isEnvelope && !isTemporary) {
    throw new ConnectionError(
      "invalid_response",
      `The response with status ${status} is not one of the Stablegate API. Check the base URL.`,
    );
  }
  return new ApiError(
    isEnvelope ? (envelope.code as ApiErrorCode) : INTERNAL,
    envelope.message ?? `The server responded with status ${status}.`,
    {
      status,
      requestId: envelope.request_id ?? headers.get("x-request-id"),
      errors: envelope.errors ?? [],
      data: envelope.data ?? null,
      retryAfterSeconds: readRetryAfter(headers.get("retry-after")),
    },
  );
}

interface Envelope {
  code: number;
  message: string;
  data: Record<string, unknown>;
  errors: { field: string; message: string }[];
  request_id: string;
}

/** Retry-After is a number of seconds or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message;
}
