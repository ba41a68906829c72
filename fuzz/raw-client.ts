import { connect, type Socket } from "node:net";

/** An HTTP answer as it stood on the wire. */
export interface RawAnswer {
  status: number;
  /** The headers by lower-case name; the last of several counts. */
  headers: ReadonlyMap<string, string>;
  body: string;
}

/** The result of sending some bytes: the responses in order, and the end of the connection. */
export interface Exchange {
  answers: RawAnswer[];
  /** `answered`: all that were expected; `closed`: by the server, before that; `silent`: nothing more came in time. */
  end: "answered" | "closed" | "silent";
  /** Bytes that are no HTTP answer. */
  rest: string;
}

export interface Sending {
  /** Written one after another; the next when the one before it is on its way. */
  parts: readonly Uint8Array[];
  /** Answers to wait for. */
  answers: number;
  /** Ends the sending side after the last part, as a client does that dies half-way. */
  isHalfOpen?: boolean;
  /** True if the server can determine its end, so that another request can follow over the same connection. */
  isWhole?: boolean;
  /** True for HEAD: the response has no body, independent of its Content-Length. */
  isHead?: boolean;
}

/** A connection that is used again as long as nothing on it is in doubt. */
export interface Line {
  /** Sends bytes and reads what comes back. Nothing is HTTP that need not be. */
  exchange(sending: Sending, timeoutMs: number): Promise<Exchange>;
  close(): void;
}

/** Opens connections to a port of this machine as they are needed, one at a time. */
export function openLine(port: number): Line {
  let idle: Socket | null = null;
  const take = () => {
    const socket = idle;
    idle = null;
    return socket?.removeAllListeners() ?? null;
  };
  const keep = (socket: Socket) => {
    idle = socket;
    // Data that the server sends without a request belong to none.
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
  // A server that refuses early resets what is still being written: what it answered before that counts.
  socket.on("error", () => {});
  socket.on("close", () => finish("closed"));
  socket.cork();
  for (const part of sending.parts) socket.write(part);
  socket.uncork();
  if (sending.isHalfOpen) socket.end();
  return promise;
}

/** Adds what is whole to the answers. @returns what is left */
function readAnswers(bytes: Buffer, isHead: boolean, answers: RawAnswer[]): Buffer {
  for (let rest = bytes; ; ) {
    const found = readAnswer(rest, isHead);
    if (!found) return rest;
    // 100 Continue and its like announce an answer and are none.
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
