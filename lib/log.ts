import type { AsyncLocalStorage } from "node:async_hooks";
import pino from "pino";
import { withoutRow } from "@/db/failure";
import { takeOverOutput, writeLastLogLines, writeLogLines } from "@/lib/output/log-lines.mjs";

export type Log = pino.Logger;

/**
 * The maximum delay before lines are written. They are written in batches, because one write per request is expensive. Remaining lines are
 * written when the process ends.
 */
const FLUSH_EVERY_MS = 200;
const BATCH_LENGTH = 4_096;

/** The context of a piece of work (`requestId`, `network`), which is added to every line that is logged in it. */
export type LogScope = AsyncLocalStorage<Readonly<Record<string, string>>>;

interface LogOptions {
  /** The context to add to each line; absent: lines contain only the fields that they are logged with. */
  scope?: LogScope;
  /** Returns further fields for each line, when it is written. */
  facts?: () => Readonly<Record<string, string>> | undefined;
  /** The destination of the lines; absent: standard output, in batches. */
  destination?: pino.DestinationStream;
}

/**
 * Returns a JSON logger for one role ("web", "worker"). The caller reads the level from LOG_LEVEL. Only the ids of database rows are
 * logged.
 */
export function createLog(
  role: string,
  level: string,
  { scope, facts, destination = createBatches() }: LogOptions = {},
): Log {
  const redact = ["*.authorization", "*.password", "*.secret"];
  // A line's own fields take precedence. The logger writes into the returned object, so it must be a copy.
  const mixin = (scope || facts) && { mixin: () => ({ ...scope?.getStore(), ...facts?.() }) };
  const options = { name: "stablegate", level, base: { role }, redact, serializers: { err, error: err }, ...mixin };
  return pino(options, destination);
}

/**
 * Returns a log without redaction, for lines whose fields are known and contain no secrets. Redaction costs more than all other work on a
 * line.
 */
export function withoutRedaction(log: Log): Log {
  return log.child({}, { redact: [] });
}

/** Returns an error in its logged form: with its causes, and without the values of rows that the database refused. */
function err(error: unknown): unknown {
  return error instanceof Error ? pino.stdSerializers.err(withoutRow(error) as Error) : error;
}

/**
 * Returns a writer to standard output in batches. If the reader disconnects, the output ends but the process continues; pino's own
 * destination waits for such a reader indefinitely when the process ends.
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
 * Converts all output of this process to log lines, and logs an unhandled error before the process ends. Must be called before any other
 * code runs.
 * @param role the role in the lines from packages, Node.js and startup messages
 * @param now returns Unix milliseconds
 */
export function openOutput(role: string, env: Readonly<Record<string, string | undefined>>, now: () => number): void {
  takeOverOutput(role, env, now);
  process.on("uncaughtException", (error) => {
    const log = createLog(role, "fatal", { destination: { write: writeLastLogLines } });
    log.fatal({ err: error }, "the process ends because of an unhandled error");
    process.exit(1);
  });
}
