import { and, asc, eq, isNotNull, lte } from "drizzle-orm";
import type { Db } from "@/db/client";
import type { StoredTransfer } from "@/db/queries/transfer-matches";
import { transfers } from "@/db/schema";

/** Judged transfers of a network that are not final yet and lie at or below `height`, lowest first. */
export async function listFinalizable(
  db: Db,
  network: string,
  height: number,
  limit: number,
): Promise<StoredTransfer[]> {
  return db
    .select()
    .from(transfers)
    .where(
      and(
        eq(transfers.network, network),
        eq(transfers.status, "seen"),
        lte(transfers.blockHeight, height),
        isNotNull(transfers.judgedAt),
      ),
    )
    .orderBy(asc(transfers.blockHeight))
    .limit(limit);
}

interface Observation {
  id: string;
  blockHash: string;
}

const asObserved = ({ id, blockHash }: Observation) =>
  and(eq(transfers.id, id), eq(transfers.status, "seen"), eq(transfers.blockHash, blockHash));

/** Confirms a transfer, only as it was observed. False means that a reorg or another worker was quicker. */
export async function confirmTransfer(
  db: Db,
  transfer: Observation,
  confirmations: number,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(transfers)
    .set({ status: "confirmed", confirmedAt: now, confirmations })
    .where(asObserved(transfer))
    .returning({ id: transfers.id });
  return rows.length === 1;
}

/** Takes a transfer back that the chain no longer has, only as it was observed; the matcher judges it again. */
export async function dropTransfer(db: Db, transfer: Observation): Promise<boolean> {
  const rows = await db
    .update(transfers)
    .set({ status: "dropped", judgedAt: null })
    .where(asObserved(transfer))
    .returning({ id: transfers.id });
  return rows.length === 1;
}

/** Follows a transfer to the block in which the chain has it now. */
export async function relocateTransfer(
  db: Db,
  transfer: Observation,
  block: { height: number; hash: string; time: Date },
): Promise<boolean> {
  const rows = await db
    .update(transfers)
    .set({ blockHeight: block.height, blockHash: block.hash, blockTime: block.time })
    .where(asObserved(transfer))
    .returning({ id: transfers.id });
  return rows.length === 1;
}
