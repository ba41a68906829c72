import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import type { Currency } from "@/lib/domain/networks";
import type { Refund } from "@/lib/domain/refunds/refund";

/** The first payment of the customer. `address` is its sender. */
export interface FirstPayment {
  network: string;
  currency: Currency;
  address: string;
  baseUnits: bigint;
}

/** The facts about a claim that the merchant should know before the approval. Addresses are in canonical form. */
export interface ClaimFindings {
  /** The first payment; null if there is none. */
  payer: FirstPayment | null;
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
    payer: (Omit<FirstPayment, "baseUnits"> & { baseUnits: string }) | null;
    is_known: boolean;
    same: number;
  }>(sql`
    select (select json_build_object('network', t.network, 'currency', t.currency, 'address', t.from_address,
        'baseUnits', t.base_units::text) from transfers t
        where t.merchant_id = ${merchantId} and (t.order_id = ${orderId} or t.id = ${transferId}) and t.status = 'confirmed'
        and t.currency is not null
        order by t.seen_at, t.id limit 1) as payer,
      exists (select from transfers t where t.merchant_id = ${merchantId} and t.from_address = ${address})
        or exists (select from refund_requests r where r.merchant_id = ${merchantId} and r.address = ${address}
          and r.status = 'completed' and r.id <> ${id}) as is_known,
      (select count(*)::integer from refund_requests r where r.merchant_id = ${merchantId} and r.address = ${address}
        and r.id <> ${id} and r.status not in ('cancelled', 'expired')) as same`);
  const payer = row?.payer ? { ...row.payer, baseUnits: BigInt(row.payer.baseUnits) } : null;
  return { payer, isKnown: row?.is_known ?? false, sameAddress: row?.same ?? 0 };
}
