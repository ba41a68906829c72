import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/**
 * Returns an expression for the time at which a transfer counts as paid, like `paidAtOf`. A transfer in a block with a future time counts
 * from the time when it was first seen.
 */
export const sentAtOf = (blockTime: SQLWrapper, seenAt: SQLWrapper): SQL => sql`least(${blockTime}, ${seenAt})`;

/** The `sentAtOf` expression of a transfer `t`. */
export const SENT_AT = sentAtOf(sql.raw("t.block_time"), sql.raw("t.seen_at"));
