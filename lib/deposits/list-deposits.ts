import type { Db } from "@/db/client";
import { type DepositSearch, listDeposits } from "@/db/queries/deposits/deposits";
import { isLiveKey } from "@/db/queries/merchants/api-keys";
import type { Deposit } from "@/lib/domain/deposits/deposit-wire";
import { deadKey } from "@/lib/merchants/api-keys";
import type { Caller } from "@/lib/orders/create-order";

/**
 * Returns one page of a merchant's final deposits, newest first, and the cursor of the next page; the cursor is null after the last page.
 * @throws AppError 10002 if the key was revoked
 */
export async function searchDeposits(
  db: Db,
  { merchantId, apiKeyId }: Caller,
  search: DepositSearch,
  now: Date,
): Promise<{ deposits: Deposit[]; nextCursor: string | null }> {
  if (!(await isLiveKey(db, apiKeyId, now))) throw deadKey();
  const found = await listDeposits(db, merchantId, { ...search, limit: search.limit + 1 });
  const deposits = found.slice(0, search.limit);
  return { deposits, nextCursor: found.length > search.limit ? (deposits.at(-1)?.id ?? null) : null };
}
