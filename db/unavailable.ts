/** Codes of the driver and the operating system for a server that cannot be reached. */
const CONNECTION_CODES = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "NO_PRIMARY",
  // A server that follows another, behind a name that led to the one that takes writes.
  "25006",
]);

/** Whether an error says that the database is away for now: not reachable, starting, stopping, or out of connections. */
export function isDatabaseAway(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = "code" in at ? String(at.code) : "";
    if (CONNECTION_CODES.has(code) || /^(08|57P|53)/.test(code)) return true;
  }
  return false;
}
