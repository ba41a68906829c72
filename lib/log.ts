import pino from "pino";

export type Log = pino.Logger;

/** Lines leave in batches, at the latest after this time and at the end of the process: one write per request is dear. */
const FLUSH_EVERY_MS = 200;

/** A JSON logger for one role ("web", "worker"); level from LOG_LEVEL by the caller. */
export function createLog(role: string, level: string): Log {
  const options = { name: "stablegate", level, base: { role }, redact: ["*.authorization", "*.password", "*.secret"] };
  return pino(options, pino.destination({ sync: false, minLength: 4_096, periodicFlush: FLUSH_EVERY_MS }));
}
