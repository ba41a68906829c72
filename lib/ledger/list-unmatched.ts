import type { Db } from "@/db/client";
import { isLiveKey } from "@/db/queries/merchants/api-keys";
import { type ListedTransfer, listTransfers } from "@/db/queries/transfers/transfer-list";
import type { TransferFilter } from "@/lib/domain/transfers/filter";
import { deadKey } from "@/lib/merchants/api-keys";
import type { Caller } from "@/lib/orders/create-order";

/** A search for unmatched transfers. */
export interface UnmatchedSearch extends Pick<TransferFilter, "reason" | "network" | "currency"> {
  /** The id of the last transfer of the previous page; null for the first page. */
  cursor: string | null;
  limit: number;
}

/**
 * Returns one page of the transfers to a merchant's addresses that are credited to nothing, newest first, and the cursor of the next page,
 * null after the last one. A page examines a bounded number of transfers, so a selective search may return fewer than `limit`, or none.
 * @throws AppError 10002 the key is no longer valid
 */
export async function listUnmatched(
  db: Db,
  { merchantId, apiKeyId }: Caller,
  { cursor, limit, ...filter }: UnmatchedSearch,
  now: Date,
): Promise<{ transfers: ListedTransfer[]; nextCursor: string | null }> {
  if (!(await isLiveKey(db, apiKeyId, now))) throw deadKey();
  const from = cursor === null ? null : { after: cursor };
  const page = await listTransfers(db, merchantId, { ...filter, show: "unmatched" }, from, limit);
  return { transfers: page.rows, nextCursor: page.older?.after ?? null };
}
