import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** The oldest major version of PostgreSQL that supports the SQL of this service's statements and functions. */
export const MIN_POSTGRES_VERSION = 15;

/** An error for a database server that is older than `MIN_POSTGRES_VERSION`. */
export class ServerVersionError extends Error {
  override readonly name = "ServerVersionError";
}

/**
 * Returns the reason why a server is too old; null if it is not.
 * @param versionNumber `server_version_num`, such as 150004 for 15.4
 */
export function serverVersionProblem(versionNumber: number): string | null {
  const major = Math.floor(versionNumber / 10_000);
  if (major >= MIN_POSTGRES_VERSION) return null;
  return `The database server is PostgreSQL ${major}, but Stablegate needs PostgreSQL ${MIN_POSTGRES_VERSION} or newer. Upgrade the server, or set DATABASE_URL to a newer one. Nothing was changed.`;
}

/** Returns the `server_version_num` of the server, even behind a pooler. */
export async function findServerVersion(db: Db): Promise<number> {
  const [row] = await db.execute<{ version: number }>(
    sql`select current_setting('server_version_num')::int as version`,
  );
  return row?.version ?? 0;
}

/**
 * Checks the version of the database server.
 * @throws ServerVersionError if the server is too old
 */
export async function requireServerVersion(db: Db): Promise<void> {
  const problem = serverVersionProblem(await findServerVersion(db));
  if (problem) throw new ServerVersionError(problem);
}
