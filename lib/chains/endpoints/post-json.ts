import { ChainError } from "@/lib/chains/endpoints/source";

export interface PostOptions {
  /** For the whole call: connecting, waiting and reading. */
  timeoutMs: number;
  maxBytes: number;
  /** Ends the call early, at a clean stop. */
  signal?: AbortSignal | undefined;
  /** Sent with the call, such as an API key; never part of an error. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface Posted {
  status: number;
  isOk: boolean;
  text: string;
  retryAfter: string | null;
}

/**
 * Posts a JSON body and reads whatever comes back.
 * @param what the call, for errors
 * @throws ChainError when nothing came back: no connection, deadline, a redirect, more than `maxBytes`
 */
export async function postJson(url: string, body: unknown, what: string, options: PostOptions): Promise<Posted> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  const own = { "content-type": "application/json", accept: "application/json" };
  try {
    const response = await fetch(plainUrl(url), {
      method: "POST",
      headers: { ...options.headers, ...own, ...credentials(url) },
      body: JSON.stringify(body),
      redirect: "error",
      signal,
    });
    const text = await readBody(response, options.maxBytes);
    return { status: response.status, isOk: response.ok, text, retryAfter: response.headers.get("retry-after") };
  } catch (error) {
    if (error instanceof ChainError) throw error;
    throw new ChainError("unavailable", `${what}: ${reasonOf(error, options.timeoutMs)}`, { cause: error });
  }
}

/** The body as JSON, or null when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The beginning of a body, for an error. */
export function excerpt(body: string): string {
  return JSON.stringify(body.slice(0, 80));
}

async function readBody(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new ChainError("rangeTooLarge", `The answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** `fetch` refuses URLs that carry credentials; they travel in a header instead. */
function plainUrl(url: string): string {
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  return plain.href;
}

function credentials(url: string): { authorization?: string } {
  const { username, password } = new URL(url);
  if (!username && !password) return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${timeoutMs} ms`;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
