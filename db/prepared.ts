import type { PostgresJsSession } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import type { Db } from "@/db/client";
import { withoutRow } from "@/db/failure";

type Session = PostgresJsSession<postgres.Sql, Record<string, unknown>, Record<string, never>>;

/**
 * Runs a statement that the server keeps parsed and planned per connection: one round trip each time.
 * For the few statements of the hot paths; `text` must be one of a fixed set, with $1, $2 … for `params`.
 * @param params texts, numbers, booleans and null; times as ISO 8601 texts.
 */
export async function runPrepared<Row extends object>(
  db: Db,
  text: string,
  params: readonly (string | number | boolean | null)[],
): Promise<Row[]> {
  const session = db._.session as unknown as Session;
  try {
    return await session.client.unsafe<Row[]>(text, [...params], { prepare: true });
  } catch (error) {
    throw withoutRow(error);
  }
}
