/** A received email, parsed and decoded. */
export interface Mail {
  to: string;
  from: string;
  subject: string;
  messageId: string;
  /** The headers by lower-case name, unfolded and decoded. */
  headers: Record<string, string>;
  text: string;
  html: string;
}

/** Parses a MIME email as the service sends it: one part or several, plain, quoted-printable or base64, UTF-8. */
export function readMail(raw: string): Mail {
  const { headers, parts } = readPart(raw);
  const bodyOf = (type: string) => parts.find((part) => part.type === type)?.body ?? "";
  return {
    to: headers["to"] ?? "",
    from: headers["from"] ?? "",
    subject: headers["subject"] ?? "",
    messageId: headers["message-id"] ?? "",
    headers,
    text: bodyOf("text/plain"),
    html: bodyOf("text/html"),
  };
}

interface Part {
  type: string;
  body: string;
}

function readPart(raw: string): { headers: Record<string, string>; parts: Part[] } {
  const end = raw.search(/\r?\n\r?\n/);
  const head = raw.slice(0, end);
  const body = raw.slice(end).replace(/^\r?\n\r?\n/, "");
  const headers = readHeaders(head);
  const type = headers["content-type"] ?? "text/plain";
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (boundary) {
    const inner = body.split(`--${boundary}`).slice(1, -1);
    return { headers, parts: inner.flatMap((part) => readPart(part.replace(/^\r?\n/, "")).parts) };
  }
  const name = (type.split(";")[0] ?? "").trim().toLowerCase();
  return { headers, parts: [{ type: name, body: decodeBody(body, headers["content-transfer-encoding"] ?? "") }] };
}

function readHeaders(head: string): Record<string, string> {
  const lines = head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), decodeEncodedWords(line.slice(colon + 1).trim())];
    }),
  );
}

/** RFC 2047. */
function decodeEncodedWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, way: string, word: string) =>
      way.toLowerCase() === "b" ? fromBase64(word) : fromQuoted(word.replaceAll("_", " ")),
    );
}

function decodeBody(body: string, encoding: string): string {
  const text = body.replaceAll("\r\n", "\n");
  if (/base64/i.test(encoding)) return fromBase64(text);
  return /quoted-printable/i.test(encoding) ? fromQuoted(text.replace(/=\n/g, "")) : text;
}

const fromBase64 = (text: string) => Buffer.from(text, "base64").toString("utf8");
const fromQuoted = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");
