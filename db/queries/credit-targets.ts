import { type SQL, sql } from "drizzle-orm";
import { type CreditTarget, TARGET_KINDS, type TargetKind } from "@/lib/domain/transfers/credit-target";

/** The columns that hold a target in `transfers`, `events` and `callbacks`: one for each kind, and at most one of them is set. */
const COLUMNS: Record<TargetKind, string> = {
  order: "order_id",
  deposit: "deposit_id",
};

const forEachKind = (write: (kind: TargetKind, column: string) => string) =>
  TARGET_KINDS.map((kind) => write(kind, COLUMNS[kind]));

/** Columns of a row that has a target. */
interface TargetColumns {
  orderId: string | null;
  depositId: string | null;
}

/** Returns the target of a row as drizzle reads it; null if it has none. */
export function targetOf({ orderId, depositId }: TargetColumns): CreditTarget | null {
  if (orderId !== null) return { kind: "order", id: orderId };
  return depositId === null ? null : { kind: "deposit", id: depositId };
}

/** Returns an expression for the target of a row, `CreditTarget | null`. @param row alias of the row, or the table's name */
export function targetColumn(row: string): SQL {
  const cases = forEachKind(
    (kind, column) =>
      `when ${row}.${column} is not null then json_build_object('kind', '${kind}', 'id', ${row}.${column})`,
  );
  return sql.raw(`case ${cases.join(" ")} end`);
}

/** Returns a condition that a row has no target. @param row alias of the row, or the table's name */
export function hasNoTarget(row: string): SQL {
  return sql.raw(forEachKind((_kind, column) => `${row}.${column} is null`).join(" and "));
}

/** Assignments that give rows the targets of rows `m`, which hold them as "targetKind" and "targetId"; both null: none. */
export const SET_TARGET = sql.raw(
  forEachKind((kind, column) => `${column} = case m."targetKind" when '${kind}' then m."targetId" end`).join(", "),
);
