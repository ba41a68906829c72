import { connect, type Socket } from "node:net";

/** An HTTP response as received on the wire. */
export interface RawAnswer {
  status: number;
  /** The headers by lower-case name. If a header occurs several times, the last one counts. */
  headers: ReadonlyMap<string, string>;
  body: string;
}

/** The result of sending some bytes: the responses in order, and the end of the connection. */
export interface Exchange {
  answers: RawAnswer[];
  /**
   * `answered`: all expected responses arrived; `closed`: the server closed the connection before that; `silent`: no further data arrived
   * in time.
   */
  end: "answered" | "closed" | "silent";
  /** The bytes that are not an HTTP response. */
  rest: string;
}

export interface Sending {
  /** The parts to write. Each is written once the previous one has been sent. */
  parts: readonly Uint8Array[];
  /** The number of responses to wait for. */
  answers: number;
  /** True if the sending side ends after the last part, as when a client crashes halfway. */
  isHalfOpen?: boolean;
  /** True if the server can determine the request's end, so that another request can follow over the same connection. */
  isWhole?: boolean;
  /** True for HEAD: the response has no body, independent of its Content-Length. */
  isHead?: boolean;
}

/** A connection that is reused while its state is certain. */
export interface Line {
  /** Sends bytes and reads the responses. Neither has to be valid HTTP. */
  exchange(sending: Sending, timeoutMs: number): Promise<Exchange>;
  close(): void;
}

/** Opens connections to a port of this machine on demand, one at a time. */
export function openLine(port: number): Line {
  let idle: Socket | null = null;
  const take = () => {
    const socket = idle;
    idle = null;
    return socket?.removeAllListeners() ?? null;
  };
  const keep = (socket: Socket) => {
    idle = socket;
    // Data that the server sends outside an exchange belongs to no request.
    for (const event of ["data", "close", "error"]) {
      socket.removeAllListeners(event).on(event, () => {
        socket.destroy();
        if (idle === socket) idle = null;
      });
    }
  };
  return {
    async exchange(sending, timeoutMs) {
      const kept = take();
      const first = await converse(kept ?? connect(port, "127.0.0.1").setNoDelay(true), sending, timeoutMs, keep);
      const isStale = kept !== null && first.end === "closed" && first.answers.length === 0 && first.rest === "";
      return isStale ? converse(connect(port, "127.0.0.1").setNoDelay(true), sending, timeoutMs, keep) : first;
    },
    close: () => void take()?.destroy(),
  };
}

function converse(socket: Socket, sending: Sending, timeoutMs: number, keep: (socket: Socket) => void) {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const answers: RawAnswer[] = [];
  let rest: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => finish("silent"), timeoutMs);
  let isOver = false;

  function finish(end: Exchange["end"]): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    const isClosing = answers.at(-1)?.headers.get("connection") === "close";
    const isInDoubt = end !== "answered" || sending.isWhole !== true || isClosing || rest.length > 0;
    if (isInDoubt) socket.destroy();
    else keep(socket);
    resolve({ answers, end, rest: rest.toString("latin1") });
  }

  socket.on("data", (chunk: Buffer) => {
    rest = readAnswers(rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk, sending.isHead === true, answers);
    if (answers.length >= sending.answers) finish("answered");
  });
  // A server that refuses a request early resets the connection during the write. Responses that it sent before count.
  socket.on("error", () => {});
  socket.on("close", () => finish("closed"));
  socket.cork();
  for (const part of sending.parts) socket.write(part);
  socket.uncork();
  if (sending.isHalfOpen) socket.end();
  return promise;
}

/**
 * Adds the complete responses to `answers`.
 * @returns the remaining bytes
 */
function readAnswers(bytes: Buffer, isHead: boolean, answers: RawAnswer[]): Buffer {
  for (let rest = bytes; ; ) {
    const found = readAnswer(rest, isHead);
    if (!found) return rest;
    // Interim responses, such as 100 Continue, do not count as responses.
    if (found.answer.status >= 200) answers.push(found.answer);
    rest = rest.subarray(found.length);
  }
}

function readAnswer(bytes: Buffer, isHead: boolean): { answer: RawAnswer; length: number } | null {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const [first = "", ...lines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
  if (Number.isNaN(status)) return null;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const from = headEnd + 4;
  const hasBody = !isHead && status >= 200 && status !== 204 && status !== 304;
  const body = hasBody ? readBody(bytes.subarray(from), headers) : { text: "", length: 0 };
  return body && { answer: { status, headers, body: body.text }, length: from + body.length };
}

function readBody(bytes: Buffer, headers: ReadonlyMap<string, string>): { text: string; length: number } | null {
  if (headers.get("transfer-encoding") === "chunked") return readChunks(bytes);
  const length = Number(headers.get("content-length") ?? 0);
  return bytes.length >= length ? { text: bytes.toString("utf8", 0, length), length } : null;
}

function readChunks(bytes: Buffer): { text: string; length: number } | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (Number.isNaN(size) || bytes.length < end + 2) return null;
    if (size === 0) return { text: Buffer.concat(chunks).toString("utf8"), length: end + 2 };
    chunks.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}
