/** The codes of the driver and the operating system for an unreachable server. */
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
  // The error code of a write on a standby, which occurs if the host name previously pointed to the primary.
  "25006",
]);

/** Returns true if an error means that the database is temporarily unavailable: unreachable, starting, stopping, or out of connections. */
export function isDatabaseAway(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = "code" in at ? String(at.code) : "";
    if (CONNECTION_CODES.has(code) || /^(08|57P|53)/.test(code)) return true;
  }
  return false;
}
