import { setTimeout } from "node:timers/promises";
import { openDriver } from "@/db/servers";
import { isDatabaseAway } from "@/db/unavailable";
import { serverUrls } from "@/lib/domain/database-url";

/** An error for a connection that the server refused for a reason that a retry cannot fix. */
export class DatabaseRefusal extends Error {
  override readonly name = "DatabaseRefusal";
}

/** The advice for each refusal of a server, by its SQLSTATE. */
const REPAIRS: Readonly<Record<string, string>> = {
  "28P01":
    "Correct the user or the password in DATABASE_URL (migrate: DATABASE_OWNER_URL, if it is set). If the role does not exist yet, npm run migrate creates it.",
  "28000":
    "Correct the user in DATABASE_URL (migrate: DATABASE_OWNER_URL, if it is set), or allow this connection in the server's pg_hba.conf. If the role does not exist yet, npm run migrate creates it.",
  "3D000": "Create the database, or correct its name in DATABASE_URL.",
};

/** Returns a DatabaseRefusal if the first connection failed for a reason that a retry cannot fix; otherwise null. */
export function refusalOf(error: unknown): DatabaseRefusal | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const repair = REPAIRS["code" in at ? String(at.code) : ""];
    if (repair)
      return new DatabaseRefusal(`The database refuses the connection: ${at.message}. ${repair}`, { cause: error });
  }
  return null;
}

/** Returns the innermost message of an error, which is the driver's or the operating system's. */
export function reasonOf(error: unknown): string {
  let reason = String(error);
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) reason = at.message;
  return reason;
}

interface WaitOptions {
  /** The longest time to wait in milliseconds; 0 tries once. */
  maxMs: number;
  /** Called with a message when the wait begins, every half a minute, and when it ends. */
  print(text: string): void;
}

const RETRY_MS = 1_000;
const PRINT_EVERY_MS = 30_000;
const CONNECT_S = 10;

/**
 * Waits until a database accepts connections. Retries while the server is unreachable or starting, or its host name does not resolve.
 * @throws DatabaseRefusal immediately if the user, the password or the name of the database is wrong
 * @throws Error after `maxMs`, with the last reason
 */
export async function waitForDatabase(url: string, { maxMs, print }: WaitOptions): Promise<void> {
  const servers = serverUrls(url)
    .map((one) => new URL(one).host)
    .join(", ");
  const startedAt = performance.now();
  let printedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const error = await tryOnce(url);
    const waitedMs = performance.now() - startedAt;
    const seconds = Math.round(waitedMs / 1_000);
    if (error === null) {
      if (Number.isFinite(printedAt)) print(`The database at ${servers} responded after ${seconds} s.`);
      return;
    }
    const refusal = refusalOf(error);
    if (refusal) throw refusal;
    if (!isDatabaseAway(error)) throw error;
    if (waitedMs >= maxMs)
      throw new Error(
        `The database at ${servers} did not respond within ${Math.round(maxMs / 1_000)} s (${reasonOf(error)}). Check that PostgreSQL is running there and that DATABASE_URL is correct.`,
        { cause: error },
      );
    if (performance.now() - printedAt >= PRINT_EVERY_MS) {
      print(
        `Waiting for the database at ${servers} (${reasonOf(error)}); ${seconds} s of at most ${Math.round(maxMs / 1_000)} s.`,
      );
      printedAt = performance.now();
    }
    await setTimeout(Math.min(RETRY_MS, maxMs - waitedMs));
  }
}

async function tryOnce(url: string): Promise<unknown> {
  const sql = openDriver(url, {
    max: 1,
    prepare: false,
    fetch_types: false,
    connect_timeout: CONNECT_S,
    onnotice: () => {},
  });
  try {
    await sql`select 1`;
    return null;
  } catch (error) {
    return error;
  } finally {
    await sql.end({ timeout: 0 });
  }
}
