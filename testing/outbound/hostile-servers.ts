import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import type { OutboundLimits } from "@/lib/outbound/guarded-post";

/** A malicious server, and the expected result of each kind of request to it. */
export interface ServerRow {
  what: string;
  /** Called once the request's headers have arrived. */
  serve: (socket: Socket, canary: string) => void;
  /** The deadlines, if one of them ends the request. */
  limits?: Partial<OutboundLimits>;
  /** The status if there is a response, otherwise the error message. */
  post: number | string;
  /** The text if there is a response, otherwise the error message. */
  get: { text: string } | string;
}

/** The limits of a request without a response. The speed of the machine does not matter, because no response arrives. */
const SILENT = { headersMs: 150 };
/** The limits of a request with a slow body: long enough for the headers to arrive on any machine. */
const SLOW = { totalMs: 2_500 };
const CUT = "the response is too large or incomplete";
const NO_HTTP = "the response is not valid HTTP";
const NO_ANSWER = "no response within 0.15 seconds";
const TOO_LONG = "the response headers are too long";
const MEBIBYTE = 1_048_576;

const print = (text: string | Uint8Array) => (socket: Socket) => void socket.write(text);
const writeAndClose = (text: string) => (socket: Socket) => void socket.end(text);
const head = (...lines: string[]) => `${["HTTP/1.1 200 OK", ...lines].join("\r\n")}\r\n\r\n`;

/** Returns a handler that writes as fast as the client reads. */
const flood =
  (begin: string, more: string) =>
  (socket: Socket): void => {
    const pour = () => {
      while (!socket.destroyed && socket.write(more));
    };
    socket.on("drain", pour).write(begin);
    pour();
  };

const drip =
  (begin: string, more: string) =>
  (socket: Socket): void => {
    socket.write(begin);
    const timer = setInterval(() => socket.write(more), 20);
    socket.once("close", () => clearInterval(timer));
  };

const redirects = [300, 301, 302, 303, 305, 307, 308].map(
  (status): ServerRow => ({
    what: `a redirect by ${status} to the inside`,
    serve: (socket, canary) =>
      socket.write(`HTTP/1.1 ${status} Moved\r\nLocation: ${canary}\r\nContent-Length: 0\r\n\r\n`),
    post: status,
    get: `redirect (status ${status})`,
  }),
);

const broken = [
  ["no HTTP at all", "SSH-2.0-OpenSSH_9.6\r\n"],
  ["HTTP of 1991", "<html>hello</html>"],
  ["the beginning of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["a status that is none", "HTTP/1.1 abc OK\r\n\r\n"],
  ["a length below nought", head("Content-Length: -1")],
  ["a length that is not a number", head("Content-Length: ten")],
  ["a length beyond all numbers", head("Content-Length: 99999999999999999999999")],
  ["two lengths that differ", head("Content-Length: 1", "Content-Length: 2")],
  ["a length and chunks", head("Content-Length: 5", "Transfer-Encoding: chunked")],
  ["a nought byte in a header", head("X: a\0b")],
  ["a header without a name", head(": x")],
].map(([what = "", text = ""]): ServerRow => ({ what, serve: print(text), post: NO_HTTP, get: NO_HTTP }));

const lying: readonly ServerRow[] = [
  {
    what: "a length longer than the body",
    serve: writeAndClose(`${head("Content-Length: 100")}{"a":1}`),
    post: 200,
    get: CUT,
  },
  {
    what: "a length of petabytes",
    serve: writeAndClose(`${head("Content-Length: 9007199254740991")}x`),
    post: 200,
    get: CUT,
  },
  {
    what: "a length shorter than the body",
    serve: print(`${head("Content-Length: 2")}{}and more`),
    post: 200,
    get: { text: "{}" },
  },
  {
    what: "a second answer behind the first",
    serve: print(`${head("Content-Length: 2")}{}${head("Content-Length: 5")}other`),
    post: 200,
    get: { text: "{}" },
  },
  {
    what: "a longer length, and then silence",
    serve: print(`${head("Content-Length: 100")}half`),
    limits: SLOW,
    post: 200,
    get: CUT,
  },
  {
    what: "a chunk that is longer than it says",
    serve: print(`${head("Transfer-Encoding: chunked")}1\r\nabc\r\n0\r\n\r\n`),
    post: 200,
    get: CUT,
  },
  {
    what: "a chunk of exabytes",
    serve: writeAndClose(`${head("Transfer-Encoding: chunked")}fffffffffffffff\r\nabc`),
    post: 200,
    get: CUT,
  },
];

const slow: readonly ServerRow[] = [
  { what: "silence", serve: () => {}, limits: SILENT, post: NO_ANSWER, get: NO_ANSWER },
  { what: "a status line that drips", serve: drip("HTTP/1.1 2", ""), limits: SILENT, post: NO_ANSWER, get: NO_ANSWER },
  {
    what: "headers that drip",
    serve: drip("HTTP/1.1 200 OK\r\n", "a: b\r\n"),
    limits: SILENT,
    post: NO_ANSWER,
    get: NO_ANSWER,
  },
  {
    what: "a body that drips",
    serve: drip(head(), "x"),
    limits: SLOW,
    post: 200,
    get: CUT,
  },
  {
    what: "chunks that drip",
    serve: drip(head("Transfer-Encoding: chunked"), "1\r\nx\r\n"),
    limits: SLOW,
    post: 200,
    get: CUT,
  },
  {
    what: "interim answers that drip",
    serve: drip("", "HTTP/1.1 102 Processing\r\n\r\n"),
    limits: { headersMs: 150 },
    post: NO_ANSWER,
    get: NO_ANSWER,
  },
];

const large: readonly ServerRow[] = [
  { what: "an endless body", serve: flood(head(), "x".repeat(16_384)), post: 200, get: CUT },
  {
    what: "an endless body in single bytes",
    serve: flood(head("Transfer-Encoding: chunked"), "1\r\nx\r\n".repeat(1_000)),
    post: 200,
    get: CUT,
  },
  {
    what: "a gzip bomb",
    serve: (socket) => {
      const bomb = gzipSync(Buffer.alloc(8 * MEBIBYTE));
      socket.write(head("Content-Encoding: gzip", `Content-Length: ${bomb.length}`));
      socket.write(bomb);
    },
    post: 200,
    get: "the response is compressed (gzip)",
  },
  {
    what: "an endless gzip bomb in another coding",
    serve: flood(head("Content-Encoding: br"), "\0".repeat(16_384)),
    post: 200,
    get: "the response is compressed (br)",
  },
  {
    what: "one endless header",
    serve: flood("HTTP/1.1 200 OK\r\na: ", "b".repeat(16_384)),
    post: TOO_LONG,
    get: TOO_LONG,
  },
  {
    what: "endless headers",
    serve: flood("HTTP/1.1 200 OK\r\n", "a: b\r\n".repeat(1_000)),
    post: TOO_LONG,
    get: TOO_LONG,
  },
  { what: "an endless status line", serve: flood("HTTP/1.1 200 ", "K".repeat(16_384)), post: TOO_LONG, get: TOO_LONG },
  {
    what: "an endless extension of a chunk",
    serve: flood(`${head("Transfer-Encoding: chunked")}1;a=`, "b".repeat(16_384)),
    post: 200,
    get: CUT,
  },
  {
    what: "endless trailers",
    serve: flood(`${head("Transfer-Encoding: chunked")}1\r\nx\r\n0\r\n`, "a: b\r\n".repeat(1_000)),
    post: 200,
    get: CUT,
  },
  {
    what: "a flood of early hints",
    serve: flood("", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".repeat(50)),
    post: "interim responses",
    get: "interim responses",
  },
  {
    what: "a flood of 100 Continue",
    serve: flood("", "HTTP/1.1 100 Continue\r\n\r\n".repeat(50)),
    post: "interim responses",
    get: "interim responses",
  },
];

/** The servers whose headers make other clients connect to a different address. */
const luring: readonly ServerRow[] = [
  {
    what: "Refresh to the inside",
    serve: (socket, canary) => socket.write(`${head(`Refresh: 0; url=${canary}`, "Content-Length: 2")}{}`),
    post: 200,
    get: { text: "{}" },
  },
  {
    what: "Alt-Svc to the inside",
    serve: (socket, canary) =>
      socket.write(`${head(`Alt-Svc: http/1.1="${new URL(canary).host}"`, "Content-Length: 2")}{}`),
    post: 200,
    get: { text: "{}" },
  },
  {
    what: "another protocol",
    serve: print("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n"),
    post: 101,
    get: "the response had status 101",
  },
];

const closing: readonly ServerRow[] = [
  {
    what: "a connection that is closed",
    serve: (socket) => socket.destroy(),
    post: "the connection was closed before a response",
    get: "the connection was closed before a response",
  },
  {
    what: "a connection that is reset",
    serve: (socket) => socket.resetAndDestroy(),
    post: "the connection was closed before a response",
    get: "the connection was closed before a response",
  },
];

export const HOSTILE_SERVERS: readonly ServerRow[] = [
  ...redirects,
  ...broken,
  ...lying,
  ...slow,
  ...large,
  ...luring,
  ...closing,
];
