import { connect, type Socket } from "node:net";

/** An HTTP answer as it stood on the wire. */
export interface RawAnswer {
  status: number;
  /** By names in lower case; the last of several counts. */
  headers: ReadonlyMap<string, string>;
  body: string;
}

/** What came back for some bytes: the answers in their order, and how it ended. */
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
  /** Whether the server knows where it ends, so that another can follow over the same connection. */
  isWhole?: boolean;
  /** Whether the request was HEAD: its answer has no body, whatever its length says. */
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
    // What a server says unasked belongs to no request.
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
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => finish("silent"), timeoutMs);
  let isOver = false;

  function finish(end: Exchange["end"]): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    const read = readAnswers(Buffer.concat(chunks).toString("latin1"), sending.isHead === true);
    const isClosing = read.answers.at(-1)?.headers.get("connection") === "close";
    const isInDoubt = end !== "answered" || sending.isWhole !== true || isClosing || read.rest !== "";
    if (isInDoubt) socket.destroy();
    else keep(socket);
    resolve({ ...read, end });
  }

  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    const { answers } = readAnswers(Buffer.concat(chunks).toString("latin1"), sending.isHead === true);
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

function readAnswers(text: string, isHead: boolean): Pick<Exchange, "answers" | "rest"> {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const found = readAnswer(rest, isHead);
    if (!found) return { answers, rest };
    // 100 Continue and its like announce an answer and are none.
    if (found.answer.status >= 200) answers.push(found.answer);
    rest = rest.slice(found.length);
  }
}

function readAnswer(text: string, isHead: boolean): { answer: RawAnswer; length: number } | null {
  const headEnd = text.indexOf("\r\n\r\n");
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1];
  if (headEnd < 0 || !status) return null;
  const headers = new Map<string, string>();
  for (const line of text.slice(0, headEnd).split("\r\n").slice(1)) {
    const colon = line.indexOf(":");
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const body = isHead || Number(status) < 200 ? { text: "", length: 0 } : readBody(text.slice(headEnd + 4), headers);
  if (!body) return null;
  const utf8 = Buffer.from(body.text, "latin1").toString("utf8");
  return { answer: { status: Number(status), headers, body: utf8 }, length: headEnd + 4 + body.length };
}

function readBody(text: string, headers: ReadonlyMap<string, string>): { text: string; length: number } | null {
  if (headers.get("transfer-encoding") === "chunked") return readChunks(text);
  const length = Number(headers.get("content-length") ?? 0);
  return text.length >= length ? { text: text.slice(0, length), length } : null;
}

function readChunks(text: string): { text: string; length: number } | null {
  let [at, body] = [0, ""];
  for (;;) {
    const lineEnd = text.indexOf("\r\n", at);
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(text.slice(at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (Number.isNaN(size) || text.length < end + 2) return null;
    if (size === 0) return { text: body, length: end + 2 };
    body += text.slice(lineEnd + 2, end);
    at = end + 2;
  }
}
