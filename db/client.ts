import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import * as schema from "@/db/schema";

/** A connection pool or a transaction of it: every story takes one, so any of them fits into a transaction. */
export type Db = PostgresJsDatabase<typeof schema>;

export interface DbPool {
  db: Db;
  /** The driver itself, for LISTEN and for statements that drizzle cannot write. */
  sql: postgres.Sql;
  close(): Promise<void>;
}

interface PoolOptions {
  max?: number;
  applicationName?: string;
}

/** Opens a pool on a PostgreSQL URL. Nothing connects before the first query. */
export function openDb(url: string, options: PoolOptions = {}): DbPool {
  const sql = postgres(url, {
    max: options.max ?? 10,
    connect_timeout: 10,
    connection: { application_name: options.applicationName ?? "stablegate" },
    onnotice: () => {},
  });
  return { db: drizzle(sql, { schema }), sql, close: () => sql.end({ timeout: 5 }) };
}
