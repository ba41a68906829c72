import { newId } from "@/lib/domain/id";
import type { ApiCall } from "@/lib/http/api-call";

const MAX_NAME = 80;
const SESSION = /^[0-9a-z]{28}\.([\w-]{1,400})$/;
/** The member of `_meta` with the client's name in each request, since the protocol of 2026-07-28. */
const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

/** Returns the name of the client in an `initialize` request; null if the request names none. */
export function nameInInitialize(message: Readonly<Record<string, unknown>>): string | null {
  return message["method"] === "initialize" ? nameOf(memberOf(message["params"], "clientInfo")) : null;
}

/**
 * Returns a session id that contains the name of a client, so that any process can read it without shared state. Clients send it in every
 * later request. It is not signed: it authorizes nothing, and the client itself chose the name.
 */
export function sessionOf(name: string, now: Date): string {
  return `${newId(now)}.${Buffer.from(name).toString("base64url")}`;
}

/** Returns the name of the client that sent a message: from the message, the session id, or the header `User-Agent`. */
export function clientName(call: Pick<ApiCall, "header">, message: Readonly<Record<string, unknown>>): string {
  const meta = memberOf(message["params"], "_meta");
  const [, encoded = ""] = SESSION.exec(call.header("mcp-session-id") ?? "") ?? [];
  return (
    nameInInitialize(message) ??
    nameOf(memberOf(meta, CLIENT_INFO)) ??
    plain(Buffer.from(encoded, "base64url").toString()) ??
    plain(call.header("user-agent") ?? "") ??
    "unknown"
  );
}

function nameOf(info: unknown): string | null {
  const parts = ["name", "version"].map((part) => memberOf(info, part));
  return plain(parts.filter((part) => typeof part === "string").join(" "));
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Returns a text without control characters, shortened; null if nothing is left. */
function plain(text: string): string | null {
  const printable = text.toWellFormed().replace(/\p{C}/gu, "").trim();
  return [...printable].slice(0, MAX_NAME).join("") || null;
}
