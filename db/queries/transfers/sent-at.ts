import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** The time at which a transfer counts as paid, the same as `paidAtOf`: a block with a time in the future counts when it was first seen. */
export const sentAtOf = (blockTime: SQLWrapper, seenAt: SQLWrapper): SQL => sql`least(${blockTime}, ${seenAt})`;

/** The same of a transfer `t`. */
export const SENT_AT = sentAtOf(sql.raw("t.block_time"), sql.raw("t.seen_at"));
