import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import type { Refund } from "@/lib/domain/refunds/refund";

/** The facts about a claim that the merchant should know before the approval. Addresses are in canonical form. */
export interface ClaimFindings {
  /** The network and the sender of the first payment; null if there is none. */
  payer: { network: string; address: string } | null;
  /** True if the address paid the merchant before, or got an earlier refund of the merchant. */
  isKnown: boolean;
  /** The other refunds of the merchant with the same address that are neither cancelled nor expired. */
  sameAddress: number;
}

/** Returns what the ledger knows about a claim. */
export async function findClaimFindings(
  db: Db,
  { id, merchantId, orderId, transferId, address }: Refund,
): Promise<ClaimFindings> {
  const [row] = await db.execute<{
    payer: ClaimFindings["payer"];
    is_known: boolean;
    same: number;
  }>(sql`
    select (select json_build_object('network', t.network, 'address', t.from_address) from transfers t
        where t.merchant_id = ${merchantId} and (t.order_id = ${orderId} or t.id = ${transferId}) and t.status = 'confirmed'
        order by t.seen_at, t.id limit 1) as payer,
      exists (select from transfers t where t.merchant_id = ${merchantId} and t.from_address = ${address})
        or exists (select from refund_requests r where r.merchant_id = ${merchantId} and r.address = ${address}
          and r.status = 'completed' and r.id <> ${id}) as is_known,
      (select count(*)::integer from refund_requests r where r.merchant_id = ${merchantId} and r.address = ${address}
        and r.id <> ${id} and r.status not in ('cancelled', 'expired')) as same`);
  return { payer: row?.payer ?? null, isKnown: row?.is_known ?? false, sameAddress: row?.same ?? 0 };
}
