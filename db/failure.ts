import { DrizzleQueryError } from "drizzle-orm/errors";
import postgres from "postgres";

/** The classes of SQLSTATE whose messages describe the server or the statement's text, never a row. */
const SERVER_ERROR_CODES = /^(08|25|28|3D|40|42|53|54|55|57|58|XX)/;
const WORDS: Readonly<Record<string, string>> = {
  "22": "a value does not fit its type",
  "23": "a row violates a constraint of its table",
};
/** The messages for statements that ended because the statement, a lock or the transaction exceeded the limit of its kind of work. */
const TOO_LATE: Readonly<Record<string, string>> = {
  "57014": "the statement exceeded the time limit for its kind of work; it wrote nothing, and it will be retried",
  "55P03": "another transaction held a lock for too long; nothing was written, and it will be retried",
  "25P03": "the transaction was idle for too long and was rolled back",
};
/** The SQLSTATEs of a transaction that failed because of a concurrent one: a serialization failure and a deadlock. */
const COLLISIONS = new Set(["40001", "40P01"]);
/** The fields of the driver's errors that quote rows. The driver does not expose the fields that contain parameters. */
const QUOTING = ["detail", "where", "internal_query", "hint"] as const;
const CAUSES = 5;

/**
 * Removes every value of a row from an error of the database, in place, so that it may be logged or printed anywhere.
 * The text of the statement, the code, and the names of constraint, table and column are kept. Any other error is
 * unchanged. Errors of functions and migrations of this schema (SG…) are written for readers and keep their message.
 */
export function withoutRow(error: unknown): unknown {
  for (let at = error, depth = 0; at instanceof Error && depth < CAUSES; at = at.cause, depth++) {
    if (at instanceof postgres.PostgresError) hideRow(at);
    else if (at instanceof DrizzleQueryError) hideParameters(at);
  }
  return error;
}

/** Returns true if an error is a timeout or a conflict with another transaction, so that a retry may succeed. */
export function isDatabaseBusy(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < CAUSES; at = at.cause, depth++) {
    const code = "code" in at ? String(at.code) : "";
    if (TOO_LATE[code] || COLLISIONS.has(code)) return true;
  }
  return false;
}

/** Returns true if an error means that the role lacks the right to run the statement. */
export function isDenied(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < CAUSES; at = at.cause, depth++) {
    if ("code" in at && at.code === "42501") return true;
  }
  return false;
}

/** Returns the message of an error that a statement of this schema raised itself (SG…); null for other errors. */
export function refusalIn(error: unknown): string | null {
  for (let at = error, depth = 0; at instanceof Error && depth < CAUSES; at = at.cause, depth++) {
    if ("code" in at && String(at.code).startsWith("SG")) return at.message;
  }
  return null;
}

/**
 * Returns true if an error means that this transaction was rolled back because of a concurrent one. Nothing was written, and the
 * transaction may be retried immediately.
 */
export function isCollision(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < CAUSES; at = at.cause, depth++) {
    if ("code" in at && COLLISIONS.has(String(at.code))) return true;
  }
  return false;
}

function hideRow(error: postgres.PostgresError): void {
  for (const field of QUOTING)
    if (field in error) Object.defineProperty(error, field, { value: undefined, enumerable: false });
  if (!error.code.startsWith("SG")) reword(error, describeError(error));
}

function describeError({ code, message, constraint_name, table_name, column_name }: postgres.PostgresError): string {
  if (message.startsWith("PostgreSQL: ")) return message;
  const text = SERVER_ERROR_CODES.test(code) ? message : (WORDS[code.slice(0, 2)] ?? "a statement was rejected");
  const names = { constraint: constraint_name, table: table_name, column: column_name };
  const where = Object.entries(names).flatMap(([kind, name]) => (name ? [`${kind} ${name}`] : []));
  return `PostgreSQL: ${[TOO_LATE[code] ?? text, ...where].join(", ")} (${code})`;
}

function hideParameters(error: DrizzleQueryError): void {
  const { cause } = error;
  error.params = [];
  // The driver's message about a parameter that it cannot send quotes the parameter.
  if (cause instanceof TypeError || cause instanceof RangeError) reword(cause, "a parameter has the wrong type");
  reword(error, `A statement failed: ${error.query}`);
}

function reword(error: Error, message: string): void {
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
  error.message = message;
  const stack = [`${error.name}: ${message}`, ...frames].join("\n");
  Object.defineProperty(error, "stack", { value: stack, configurable: true, writable: true });
}
