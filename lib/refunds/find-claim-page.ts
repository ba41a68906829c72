import type { Db } from "@/db/client";
import {
  type ClaimPageRow,
  findRefundLogo,
  listClaimPageRows,
  listRefundVersions,
} from "@/db/queries/refunds/claim-page";
import type { ChainHeight } from "@/lib/domain/networks/finality";
import type { ClaimFacts } from "@/lib/domain/refunds/claim-view";
import { brandIn, findRowsTogether } from "@/lib/orders/find-checkout";

/** The dependencies of claim pages. */
export interface ClaimReader {
  findClaimRow: (id: string) => Promise<ClaimPageRow | null>;
  /** Returns the current version of a refund, or null if there is no such refund. */
  findRefundVersion: (id: string) => Promise<number | null>;
}

/** Returns functions that find the rows and the versions of refunds. Concurrent page requests are batched in one statement. */
export function readClaimsTogether(db: Db): ClaimReader {
  const findVersion = findRowsTogether((ids) => listRefundVersions(db, ids));
  return {
    findClaimRow: findRowsTogether((ids) => listClaimPageRows(db, ids)),
    findRefundVersion: async (id) => (await findVersion(id))?.version ?? null,
  };
}

/** Returns the data of a claim page; null if there is no such refund. */
export async function findClaimPage({ findClaimRow }: ClaimReader, id: string): Promise<ClaimFacts | null> {
  const row = await findClaimRow(id);
  if (!row) return null;
  const check = row.claim_check ?? "none";
  return {
    id: row.id,
    version: row.version,
    status: row.status,
    merchantName: row.merchant_name,
    brand: brandIn(row),
    currency: row.currency,
    microUnits: BigInt(row.micro_units),
    price: row.price,
    reason: row.reason,
    message: row.ended_reason,
    // A refund without an email address, and one without an order, need no check.
    check: (check === "email" && !row.has_email) || (check === "order_number" && !row.has_order) ? "none" : check,
    settings: { networks: row.claim_networks ?? [] },
    paidOn: row.paid_on,
    network: row.network,
    address: row.address,
    expiresAt: new Date(row.expires_ms),
    transfer:
      row.tx_id === null || row.block_height === null
        ? null
        : { txId: row.tx_id, blockHeight: row.block_height, head: headOf(row) },
  };
}

function headOf({ head_height, finalized_height, head_block_ms }: ClaimPageRow): ChainHeight | null {
  if (head_height === null) return null;
  return { height: head_height, finalizedHeight: finalized_height, blockMs: head_block_ms };
}

/** Returns the logo of a claim page, as a base64-encoded WebP. Does not query the database if the merchant has no logo. */
export async function findClaimPageLogo(db: Db, { id, brand }: Pick<ClaimFacts, "id" | "brand">) {
  return brand.hasLogo ? findRefundLogo(db, id) : null;
}
