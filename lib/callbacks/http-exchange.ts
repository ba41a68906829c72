import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { PostFailure } from "@/lib/callbacks/post-failure";

export interface Exchange {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  headersMs: number;
  maxReadBytes: number;
}

export interface Answer {
  httpStatus: number;
  retryAfter: string | null;
  /** What was read of the body. */
  bytes: Buffer;
}

/**
 * Posts once over a socket that is already connected and ends it. Redirects, proxies and kept connections do not exist here.
 * Once the headers are there it always succeeds: a body that is endless, slow or broken off is kept as far as it came.
 * @throws PostFailure when no headers came in time, or the socket's or the parser's error.
 */
export function exchange(socket: Socket, spec: Exchange, total: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const body = Buffer.from(spec.body);
  const request = httpRequest({
    createConnection: () => socket,
    method: "POST",
    path: spec.url.pathname + spec.url.search,
    headers: { ...spec.headers, host: spec.url.host, "content-length": body.length, connection: "close" },
    setHost: false,
    insecureHTTPParser: false,
  });
  const late = () => reject(new PostFailure(`no answer came within ${spec.headersMs / 1000} seconds`));
  const timer = setTimeout(late, spec.headersMs);
  const abort = () => reject(total.reason);
  total.addEventListener("abort", abort, { once: true });
  const answered = (response: IncomingMessage) => {
    clearTimeout(timer);
    total.removeEventListener("abort", abort);
    readBody(response, spec.maxReadBytes, total).then((bytes) => resolve(toAnswer(response, bytes)), reject);
  };
  request.on("response", answered);
  request.on("upgrade", (response) => resolve(toAnswer(response, Buffer.alloc(0))));
  request.on("error", reject);
  request.end(body);
  return promise.finally(() => {
    clearTimeout(timer);
    total.removeEventListener("abort", abort);
    request.destroy();
    socket.destroy();
  });
}

function toAnswer(response: IncomingMessage, bytes: Buffer): Answer {
  return {
    httpStatus: response.statusCode ?? 0,
    retryAfter: response.headers["retry-after"] ?? null,
    bytes,
  };
}

function readBody(response: IncomingMessage, maxBytes: number, total: AbortSignal): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = () => {
      total.removeEventListener("abort", finish);
      resolve(Buffer.concat(chunks).subarray(0, maxBytes));
    };
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBytes) finish();
    });
    for (const end of ["end", "close", "error"]) response.once(end, finish);
    total.addEventListener("abort", finish, { once: true });
    if (total.aborted) finish();
  });
}
