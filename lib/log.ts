import pino from "pino";

export type Log = pino.Logger;

/** A JSON logger for one role ("web", "worker"); level from LOG_LEVEL by the caller. */
export function createLog(role: string, level: string): Log {
  return pino({ name: "stablegate", level, base: { role }, redact: ["*.authorization", "*.password", "*.secret"] });
}
