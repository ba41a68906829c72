import { type SQL, sql } from "drizzle-orm";
import { type Db, runPrepared } from "@/db/client";
import { type CreditTarget, TARGET_KINDS, type TargetKind } from "@/lib/domain/credit-target";

/** The columns and tables that store a kind of target. */
interface StoredKind {
  /** The column of `transfers`, `events` and `callbacks` that contains the id of the target. At most one of these columns is set. */
  column: string;
  /** The table, with the columns `id`, `merchant_id`, `api_key_id` and `version`. */
  table: string;
  /** The column of that table that contains the merchant's own name for the target. */
  reference: string;
}

/** The storage of each kind. It is the only place where the queries of the ledger, the callbacks and the pages distinguish kinds. */
const KINDS: Record<TargetKind, StoredKind> = {
  order: { column: "order_id", table: "orders", reference: "mch_order_id" },
  deposit: { column: "deposit_id", table: "deposit_addresses", reference: "customer_ref" },
};

const forEachKind = (write: (kind: TargetKind, stored: StoredKind) => string) =>
  TARGET_KINDS.map((kind) => write(kind, KINDS[kind]));

/** The columns of a row that has a target. */
interface TargetColumns {
  orderId: string | null;
  depositId: string | null;
}

/** Returns the target of a row as drizzle reads it; null if it has none. */
export function targetOf({ orderId, depositId }: TargetColumns): CreditTarget | null {
  if (orderId !== null) return { kind: "order", id: orderId };
  return depositId === null ? null : { kind: "deposit", id: depositId };
}

/** Returns the columns of a row that store a target. */
export function targetColumns({ kind, id }: CreditTarget): TargetColumns {
  return { orderId: kind === "order" ? id : null, depositId: kind === "deposit" ? id : null };
}

/**
 * Returns an expression for the target of a row, `CreditTarget | null`.
 * @param row alias of the row, or the table's name
 */
export function targetColumn(row: string): SQL {
  const cases = forEachKind(
    (kind, { column }) =>
      `when ${row}.${column} is not null then json_build_object('kind', '${kind}', 'id', ${row}.${column})`,
  );
  return sql.raw(`case ${cases.join(" ")} end`);
}

/**
 * Returns a condition that a row has no target.
 * @param row alias of the row, or the table's name
 */
export function hasNoTarget(row: string): SQL {
  return sql.raw(forEachKind((_kind, { column }) => `${row}.${column} is null`).join(" and "));
}

/**
 * The assignments that set the targets of rows from rows `m`, which have them as "targetKind" and "targetId". If both are null, the row
 * gets no target.
 */
export const SET_TARGET = sql.raw(
  forEachKind((kind, { column }) => `${column} = case m."targetKind" when '${kind}' then m."targetId" end`).join(", "),
);

/**
 * Returns an expression for the target of a row with the merchant's name for it, `NamedTarget | null`.
 * @param row alias of the row, or the table's name
 */
export function namedTargetColumn(row: string): SQL {
  const cases = forEachKind(
    (kind, { column, table, reference }) =>
      `when ${row}.${column} is not null then json_build_object('kind', '${kind}', 'id', ${row}.${column}, 'reference', (
        select t.${reference} from ${table} t where t.id = ${row}.${column} and t.merchant_id = ${row}.merchant_id))`,
  );
  return sql.raw(`case ${cases.join(" ")} end`);
}

/**
 * Returns a condition that a row has this target.
 * @param row alias of the row, or the table's name
 */
export function isOfTarget(row: string, { kind, id }: CreditTarget): SQL {
  return sql`${sql.raw(`${row}.${KINDS[kind].column}`)} = ${id}`;
}

/**
 * Returns a query for the id, merchant and creating key of targets of any kind.
 * @param ids the right side of `id =`
 */
export function targetOwners(ids: string): string {
  return forEachKind(
    (_kind, { table }) => `select t.id, t.merchant_id, t.api_key_id from ${table} t where t.id = ${ids}`,
  ).join(" union all ");
}

const VERSIONS = forEachKind(
  (_kind, { table }) => `select id, version from ${table} where id = any(string_to_array($1, ' '))`,
).join(" union all ");

/** Returns the current version of each of these targets that exists, of any kind. */
export async function listTargetVersions(db: Db, ids: readonly string[]): Promise<{ id: string; version: number }[]> {
  return runPrepared<{ id: string; version: number }>(db, VERSIONS, [ids.join(" ")]);
}
