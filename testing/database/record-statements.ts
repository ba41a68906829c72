import type postgres from "postgres";
import { createDb, type Db } from "@/db/session";

export interface SentStatement {
  query: string;
  params: readonly unknown[];
}

/** Returns a database client that uses the given driver, and the list of the statements that it sends. */
export function recordStatements(client: postgres.Sql): { db: Db; sent: SentStatement[] } {
  const sent: SentStatement[] = [];
  const watch = (query: string, params: readonly unknown[]) => {
    sent.push({ query, params });
    return () => {};
  };
  const db = createDb(client, { watch });
  return { db, sent };
}
