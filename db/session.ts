import {
  createTableRelationsHelpers,
  type ExtractTablesWithRelations,
  entityKind,
  extractTablesRelationalConfig,
  is,
  type Query,
  type RelationalSchemaConfig,
} from "drizzle-orm";
import { NoopCache } from "drizzle-orm/cache/core";
import { NoopLogger } from "drizzle-orm/logger";
import {
  PgDialect,
  type PgPreparedQuery,
  type PgTransactionConfig,
  type PreparedQueryConfig,
  type SelectedFieldsOrdered,
} from "drizzle-orm/pg-core";
import {
  drizzle,
  PostgresJsDatabase,
  PostgresJsPreparedQuery,
  PostgresJsSession,
  PostgresJsTransaction,
} from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import { withoutRow } from "@/db/failure";
import * as schema from "@/db/schema";

/** A connection pool or a transaction. Every use case takes one, so that it can run inside any transaction. */
export type Db = PostgresJsDatabase<FullSchema>;

type FullSchema = typeof schema;
type Tables = ExtractTablesWithRelations<FullSchema>;

/** A function that is called when a statement is sent. The function that it returns is called when the statement has ended. */
export type WatchStatement = (text: string, params: readonly unknown[]) => () => void;

interface Context {
  dialect: PgDialect;
  schema: RelationalSchemaConfig<Tables>;
  watch: WatchStatement | undefined;
  /** Returns true if a statement is sent as a prepared one. */
  mustPrepare: (text: string) => boolean;
}

interface DbOptions {
  watch?: WatchStatement | undefined;
  /** True to prepare the statements that are repeated. */
  preparesRepeated?: boolean | undefined;
}

/** Returns an ORM instance that uses a driver. Its statement errors contain neither parameters nor row values. */
export function createDb(client: postgres.Sql, { watch, preparesRepeated = false }: DbOptions = {}): Db {
  // Called only because it reconfigures the driver: times and JSON are passed as text, which the ORM parses.
  drizzle(client);
  const { tables, tableNamesMap } = extractTablesRelationalConfig<Tables>(schema, createTableRelationsHelpers);
  const context = {
    dialect: new PgDialect(),
    schema: { fullSchema: schema, schema: tables, tableNamesMap },
    watch,
    mustPrepare: preparesRepeated ? createRepeatCounter() : () => false,
  };
  return new PostgresJsDatabase(context.dialect, new WatchedSession(client, context), context.schema);
}

/** The number of runs after which a statement counts as repeated. */
const RUNS_BEFORE_PREPARING = 2;
/** The maximum numbers of prepared and of counted statements: each prepared one occupies memory of every connection. */
const MAX_PREPARED = 150;
const MAX_COUNTED = 500;
/** The maximum length of a counted statement. Longer ones insert many rows, and their text depends on the number of rows. */
const MAX_LENGTH = 10_000;

/**
 * Returns a function that counts the runs of statements by their text. It returns true for the first 150 that are repeated. The server
 * parses a prepared statement once per connection, and each run takes one round trip instead of two.
 */
export function createRepeatCounter(): (text: string) => boolean {
  const runs = new Map<string, number>();
  let prepared = 0;
  return (text) => {
    const count = runs.get(text) ?? 0;
    if (count === RUNS_BEFORE_PREPARING) return true;
    if (text.length > MAX_LENGTH || prepared === MAX_PREPARED || (count === 0 && runs.size === MAX_COUNTED))
      return false;
    runs.set(text, count + 1);
    if (count + 1 === RUNS_BEFORE_PREPARING) prepared += 1;
    return false;
  };
}

/** Returns the session of a pool or transaction of {@link createDb}. */
export function sessionOf(db: Db): WatchedSession {
  const { session } = db._;
  // `instanceof` would fail, because Next bundles a second copy of this module for the back office, which gets its pools from the server.
  if (is(session, WatchedSession)) return session;
  throw new TypeError("The database was not opened by createDb");
}

/** An ORM session that watches its statements and removes parameters and row values from their errors. */
class WatchedSession extends PostgresJsSession<postgres.Sql, FullSchema, Tables> {
  static override readonly [entityKind]: string = "WatchedSession";
  readonly #context: Context;

  constructor(client: postgres.Sql, context: Context) {
    super(client, context.dialect, context.schema);
    this.#context = context;
  }

  /** Runs a statement. Calls the watching function before and after it, and removes values from its error. */
  async run<T>(text: string, params: readonly unknown[], send: () => PromiseLike<T>): Promise<T> {
    const end = this.#context.watch?.(text, params);
    try {
      return await send();
    } catch (error) {
      throw withoutRow(error);
    } finally {
      end?.();
    }
  }

  override prepareQuery<T extends PreparedQueryConfig = PreparedQueryConfig>(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    name: string | undefined,
    isResponseInArrayMode: boolean,
    customResultMapper?: (rows: unknown[][]) => T["execute"],
  ): PgPreparedQuery<T> {
    const isPrepared = name !== undefined || this.#context.mustPrepare(query.sql);
    return new WatchedQuery<T>(this, query, fields, isPrepared, isResponseInArrayMode, customResultMapper);
  }

  override transaction<T>(
    run: (tx: WatchedTransaction) => Promise<T>,
    config: PgTransactionConfig | undefined = undefined,
  ): Promise<T> {
    const transaction = this.client.begin(async (client) => {
      const tx = this.#transactionOn(client);
      if (config) await tx.setTransaction(config);
      return run(tx);
    });
    return transaction as Promise<T>;
  }

  /** Runs a nested transaction. If it fails, only its own statements are rolled back. */
  savepoint<T>(run: (tx: WatchedTransaction) => Promise<T>): Promise<T> {
    const client = this.client as unknown as postgres.TransactionSql;
    return client.savepoint((inner) => run(this.#transactionOn(inner))) as Promise<T>;
  }

  #transactionOn(client: postgres.TransactionSql): WatchedTransaction {
    const session = new WatchedSession(client as unknown as postgres.Sql, this.#context);
    return new WatchedTransaction(session, this.#context);
  }
}

class WatchedTransaction extends PostgresJsTransaction<FullSchema, Tables> {
  readonly #session: WatchedSession;

  constructor(session: WatchedSession, context: Context) {
    super(context.dialect, session as never, context.schema);
    this.#session = session;
  }

  override transaction<T>(run: (tx: WatchedTransaction) => Promise<T>): Promise<T> {
    return this.#session.savepoint(run);
  }
}

class WatchedQuery<T extends PreparedQueryConfig> extends PostgresJsPreparedQuery<T> {
  readonly #session: WatchedSession;
  readonly #query: Query;

  constructor(
    session: WatchedSession,
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    isPrepared: boolean,
    isResponseInArrayMode: boolean,
    customResultMapper: ((rows: unknown[][]) => T["execute"]) | undefined,
  ) {
    super(
      session.client,
      query.sql,
      query.params,
      new NoopLogger(),
      new NoopCache(),
      undefined,
      undefined,
      fields,
      isResponseInArrayMode,
      isPrepared,
      customResultMapper,
    );
    this.#session = session;
    this.#query = query;
  }

  override execute(placeholderValues?: Record<string, unknown>): Promise<T["execute"]> {
    return this.#session.run(this.#query.sql, this.#query.params, () => super.execute(placeholderValues));
  }

  override all(placeholderValues?: Record<string, unknown>): Promise<T["all"]> {
    return this.#session.run(this.#query.sql, this.#query.params, () => super.all(placeholderValues));
  }
}
