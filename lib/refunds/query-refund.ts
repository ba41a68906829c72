import type { Db } from "@/db/client";
import { isLiveKey } from "@/db/queries/merchants/api-keys";
import {
  findRefund,
  listOrderNumbers,
  listRefunds,
  type RefundNames,
  type RefundSearch,
} from "@/db/queries/refunds/refund-requests";
import { problem } from "@/lib/domain/problems/problem";
import type { Refund } from "@/lib/domain/refunds/refund";
import { AppError } from "@/lib/errors";
import { deadKey } from "@/lib/merchants/api-keys";
import type { Caller } from "@/lib/orders/create-order";

/** A refund with the merchant's number of its order; null if it is for a transfer. */
export interface ListedRefund {
  refund: Refund;
  mchOrderId: string | null;
}

/**
 * Returns a refund to the merchant's server.
 * @throws AppError 10002 the key is no longer valid; 10003 there is no such refund
 */
export async function queryRefund(
  db: Db,
  { merchantId, apiKeyId }: Caller,
  names: RefundNames,
  now: Date,
): Promise<ListedRefund> {
  if (!(await isLiveKey(db, apiKeyId, now))) throw deadKey();
  const refund = await findRefund(db, merchantId, names);
  const [listed] = refund ? await withOrderNumbers(db, merchantId, [refund]) : [];
  if (!listed) throw new AppError(problem("refund_not_found"));
  return listed;
}

/**
 * Returns one page of a merchant's refunds, newest first, and the cursor of the next page; the cursor is null after the last page.
 * @throws AppError 10002 the key is no longer valid
 */
export async function searchRefunds(
  db: Db,
  { merchantId, apiKeyId }: Caller,
  search: RefundSearch,
  now: Date,
): Promise<{ refunds: ListedRefund[]; nextCursor: string | null }> {
  if (!(await isLiveKey(db, apiKeyId, now))) throw deadKey();
  const found = await listRefunds(db, merchantId, { ...search, limit: search.limit + 1 });
  const page = found.slice(0, search.limit);
  const refunds = await withOrderNumbers(db, merchantId, page);
  return { refunds, nextCursor: found.length > search.limit ? (page.at(-1)?.id ?? null) : null };
}

/** Adds the merchant's numbers of their orders to refunds. */
async function withOrderNumbers(db: Db, merchantId: string, refunds: readonly Refund[]): Promise<ListedRefund[]> {
  const numbers = await listOrderNumbers(
    db,
    merchantId,
    refunds.flatMap(({ orderId }) => orderId ?? []),
  );
  return refunds.map((refund) => ({ refund, mchOrderId: numbers.get(refund.orderId ?? "") ?? null }));
}
