import type { AsyncLocalStorage } from "node:async_hooks";
import pino from "pino";
import { withoutRow } from "@/db/failure";
import { takeOverOutput, writeLastLogLines, writeLogLines } from "@/lib/output/log-lines.mjs";

export type Log = pino.Logger;

/** Lines leave in batches, at the latest after this time and at the end of the process: one write per request is dear. */
const FLUSH_EVERY_MS = 200;
const BATCH_LENGTH = 4_096;

/** The context of a piece of work (`requestId`, `network`), which is added to every line that is logged in it. */
export type LogScope = AsyncLocalStorage<Readonly<Record<string, string>>>;

interface LogOptions {
  /** Left out: lines say only what they are given. */
  scope?: LogScope;
  /** Returns further fields for each line, when it is written. */
  facts?: () => Readonly<Record<string, string>> | undefined;
  /** Left out: standard output, in batches. */
  destination?: pino.DestinationStream;
}

/** A JSON logger for one role ("web", "worker"); level from LOG_LEVEL by the caller. Nothing of a row gets into it but ids. */
export function createLog(
  role: string,
  level: string,
  { scope, facts, destination = createBatches() }: LogOptions = {},
): Log {
  const redact = ["*.authorization", "*.password", "*.secret"];
  // A line's own words win; what is given here is written into, so it must be a copy.
  const mixin = (scope || facts) && { mixin: () => ({ ...scope?.getStore(), ...facts?.() }) };
  const options = { name: "stablegate", level, base: { role }, redact, serializers: { err, error: err }, ...mixin };
  return pino(options, destination);
}

/** Returns a log without redaction, for lines of known fields without secrets: redaction costs more than the rest of a line. */
export function withoutRedaction(log: Log): Log {
  return log.child({}, { redact: [] });
}

/** Returns an error for a line: with its causes, and without values of rows that the database refused. */
function err(error: unknown): unknown {
  return error instanceof Error ? pino.stdSerializers.err(withoutRow(error) as Error) : error;
}

/**
 * Standard output in batches. A reader that went away ends the output, never the process: pino's own destination waits
 * for such a reader for ever when the process ends.
 */
export function createBatches(): { write(line: string): void } {
  let batch = "";
  let timer: NodeJS.Timeout | undefined;

  const take = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = batch;
    batch = "";
    return text;
  };
  process.stdout.on("error", take);
  process.once("exit", () => writeLastLogLines(take()));
  return {
    write(line) {
      batch += line;
      if (batch.length >= BATCH_LENGTH) writeLogLines(take());
      else timer ??= setTimeout(() => writeLogLines(take()), FLUSH_EVERY_MS).unref();
    },
  };
}

/**
 * Makes all output of this process log lines, and ends it with one when an error is thrown that nothing handles. Called before
 * anything else runs.
 * @param role of lines that packages, Node and start messages write
 * @param now in Unix milliseconds
 */
export function openOutput(role: string, env: Readonly<Record<string, string | undefined>>, now: () => number): void {
  takeOverOutput(role, env, now);
  process.on("uncaughtException", (error) => {
    const log = createLog(role, "fatal", { destination: { write: writeLastLogLines } });
    log.fatal({ err: error }, "the process ends because of an unhandled error");
    process.exit(1);
  });
}
