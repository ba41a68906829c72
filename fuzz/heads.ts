import type { Random } from "@/chaos/plan/random";

/** A request before serialization. */
export interface Request {
  method: string;
  target: string;
  /** The headers in order; a name may occur twice. */
  headers: [name: string, value: string][];
  body: Uint8Array;
}

/** A request and the responses that are allowed for it. */
export interface Wire {
  name: string;
  parts: Uint8Array[];
  /** The number of responses that a correct server sends. */
  answers: number;
  /** True if the server may close the connection without a response, because the request is incomplete. */
  mayStaySilent?: boolean;
  isHalfOpen?: boolean;
  /** True if the request's responses have no bodies. */
  isHead?: boolean;
  /** True if the request's end is unambiguous, so that another request can follow over the same connection. */
  isWhole?: boolean;
  /** True if the request's path is outside the API, where responses have a different format. */
  isElsewhere?: boolean;
}

type Spoil = (request: Request, random: Random) => Omit<Wire, "name" | "isHead">;

const latin1 = (text: string) => Buffer.from(text, "latin1");
const one = (...parts: Uint8Array[]) => ({ parts, answers: 1 });

function headOf({ method, target, headers }: Request, version = "HTTP/1.1"): string {
  return `${method} ${target} ${version}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}

const withHeaders = (request: Request, ...more: [string, string][]): Request => ({
  ...request,
  headers: [...request.headers, ...more],
});

const sized = (request: Request, length: string | number = request.body.byteLength) =>
  withHeaders(request, ["Content-Length", String(length)]);

const plain = (request: Request) => ({ ...one(latin1(headOf(sized(request))), request.body), isWhole: true });

/** The byte sequences that attackers put into headers. */
const HEADER_VALUES = [
  "",
  " ",
  "\t",
  "\x7f",
  "\xff\xfe",
  "a".repeat(9_000),
  "null",
  "*",
  "\u00e9",
  "a, b",
  ";;;",
  '"',
  "0",
];
const HEADERS = [
  ...["X-API-Key", "Authorization", "Content-Type", "X-Request-Id", "X-Forwarded-For", "Accept", "Accept-Encoding"],
  ...["webhook-id", "webhook-timestamp", "webhook-signature", "Cookie", "If-None-Match", "Range", "Origin", "Referer"],
  ...[
    "Content-Encoding",
    "X-HTTP-Method-Override",
    "Last-Event-ID",
    "Forwarded",
    "Via",
    "TE",
    "Trailer",
    "Accept-Language",
  ],
];
const METHODS = ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "SEARCH", "M-SEARCH", "LINK"];

const SPOILS: Readonly<Record<string, Spoil>> = {
  "as it should be": plain,
  "a strange header": (request, random) =>
    plain(withHeaders(request, [random.pick(HEADERS), random.pick(HEADER_VALUES)])),
  "a header twice": (request, random) => {
    const name = random.pick(HEADERS);
    return plain(withHeaders(request, [name, "one"], [name, random.pick(HEADER_VALUES)]));
  },
  "another method": (request, random) => plain({ ...request, method: random.pick(METHODS) }),
  "a method of its own": (request, random) =>
    one(
      latin1(headOf(sized({ ...request, method: random.pick(["BREW", "post", "P\x00ST", "", "POST POST"]) }))),
      request.body,
    ),
  "a strange path": (request, random) =>
    plain({
      ...request,
      target: request.target + random.pick(["/", "//", "/..", "%00", "%2f", "%", "%zz", "?a=%ff", "#x", "\\", ";x"]),
    }),
  "another path": (request, random) => ({
    ...plain({
      ...request,
      target: random.pick([
        "/",
        "*",
        "//",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/.env",
        "/api",
        "/api/v1/pay/sdk",
        "/__proto__",
        `/${"a".repeat(4_000)}`,
      ]),
    }),
    isElsewhere: true,
  }),
  "an absolute target": (request) => plain({ ...request, target: `http://169.254.169.254${request.target}` }),
  "an old version": (request, random) =>
    one(
      latin1(headOf(sized(request), random.pick(["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/9.9", "HTCPCP/1.0", ""]))),
      request.body,
    ),
  "no host": (request) => plain({ ...request, headers: request.headers.filter(([name]) => name !== "Host") }),
  "two hosts": (request) => plain(withHeaders(request, ["Host", "evil.example"])),
  "a wrong host": (request, random) =>
    plain({
      ...request,
      headers: [
        ["Host", random.pick(["", "a b", "[::1", "evil.example:99999", "\xff", "@", "a/../b"])],
        ...request.headers.slice(1),
      ],
    }),
  "too short a length": (request, random) => {
    const length = random.int(0, Math.max(0, request.body.byteLength - 1));
    return { parts: [latin1(headOf(sized(request, length))), request.body], answers: 1 };
  },
  "too long a length, and the end": (request, random) => ({
    ...one(latin1(headOf(sized(request, request.body.byteLength + random.int(1, 500)))), request.body),
    mayStaySilent: true,
    isHalfOpen: true,
  }),
  "a length that is none": (request, random) =>
    one(
      latin1(headOf(sized(request, random.pick(["-1", "1e3", "0x10", "ten", "99999999999999999999", " ", "1, 2"])))),
      request.body,
    ),
  "two lengths": (request) => one(latin1(headOf(withHeaders(sized(request), ["Content-Length", "1"]))), request.body),
  "a length and chunks": (request) =>
    one(latin1(headOf(withHeaders(sized(request), ["Transfer-Encoding", "chunked"]))), latin1("0\r\n\r\n")),
  "in chunks": (request, random) => {
    const at = random.int(0, request.body.byteLength);
    const halves = [request.body.subarray(0, at), request.body.subarray(at)].filter(({ byteLength }) => byteLength > 0);
    const chunks = halves.flatMap((half) => [latin1(`${half.byteLength.toString(16)}\r\n`), half, latin1("\r\n")]);
    const head = headOf(withHeaders(request, ["Transfer-Encoding", "chunked"]));
    return { ...one(latin1(head), ...chunks, latin1("0\r\n\r\n")), isWhole: true };
  },
  "chunks that are none": (request, random) => {
    const head = headOf(
      withHeaders(request, [
        "Transfer-Encoding",
        random.pick(["chunked", "chunked, chunked", "xchunked", "gzip, chunked"]),
      ]),
    );
    return {
      ...one(latin1(head), latin1(random.pick(["zz\r\n", "-1\r\n", "ffffffffffffffff\r\n", "5\r\nab"]))),
      mayStaySilent: true,
      isHalfOpen: true,
    };
  },
  "said to be compressed": (request, random) =>
    plain(withHeaders(request, ["Content-Encoding", random.pick(["gzip", "br", "deflate", "identity", "\xff"])])),
  "asks first": (request, random) =>
    plain(withHeaders(request, ["Expect", random.pick(["100-continue", "200-ok", ""])])),
  // After an ignored Upgrade, Node 24 reports bytes that are not HTTP only when the request times out.
  "asks for another protocol": (request, random) => ({
    ...plain(
      withHeaders(request, ["Connection", "Upgrade"], ["Upgrade", random.pick(["websocket", "h2c", "TLS/1.0"])]),
    ),
    isWhole: false,
  }),
  "a tunnel": (request) => ({
    ...one(latin1(headOf(sized({ ...request, method: "CONNECT", target: "evil.example:443" })))),
    mayStaySilent: true,
  }),
  "too many headers": (request) =>
    plain(withHeaders(request, ...Array.from({ length: 300 }, (_, at): [string, string] => [`X-${at}`, "1"]))),
  "headers of 20 KB": (request) => plain(withHeaders(request, ["X-Large", "a".repeat(20_000)])),
  "a header without a colon": (request) =>
    one(latin1(headOf(sized(request)).replace("\r\n", "\r\nnonsense\r\n")), request.body),
  "a folded header": (request) =>
    one(latin1(headOf(sized(request)).replace("\r\n", "\r\nX-Folded: a\r\n b\r\n")), request.body),
  "bare line feeds": (request) => one(latin1(headOf(sized(request)).replaceAll("\r\n", "\n")), request.body),
  "a null byte in a header": (request) =>
    one(latin1(headOf(withHeaders(sized(request), ["X-Null", "a\0b"]))), request.body),
  "random bytes": (_request, random) => ({
    ...one(
      Uint8Array.from({ length: random.int(1, 200) }, () => random.int(0, 255)),
      latin1("\r\n\r\n"),
    ),
    mayStaySilent: true,
    isHalfOpen: true,
  }),
  "only a beginning": (request, random) => {
    const head = headOf(sized(request));
    return { ...one(latin1(head.slice(0, random.int(1, head.length - 1)))), mayStaySilent: true, isHalfOpen: true };
  },
  "many at once": (request, random) => {
    const times = random.int(2, 8);
    const head = latin1(headOf(sized(request)));
    return { parts: Array.from({ length: times }, () => [head, request.body]).flat(), answers: times, isWhole: true };
  },
};

/** The names of all head variants. */
export const HEAD_KINDS = Object.keys(SPOILS);

/** Serializes a request, in most cases with a valid head. */
export function hostileWire(request: Request, random: Random): Wire {
  const name = random.chance(0.5) ? "valid" : random.pick(HEAD_KINDS);
  const wire = (SPOILS[name] ?? plain)(request, random);
  return { name, ...wire, isHead: latin1("HEAD ").equals(wire.parts[0]?.subarray(0, 5) ?? latin1("")) };
}
