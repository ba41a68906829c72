import type { Db } from "@/db/client";
import {
  type DepositPageRow,
  type DepositTransferRow,
  findDepositLogo,
  listDepositPageRows,
  listDepositVersions,
} from "@/db/queries/deposits/deposit-page";
import { verifiedAddress } from "@/lib/domain/addresses/address";
import type { DepositFacts, DepositState, DepositTransfer } from "@/lib/domain/deposits/deposit-view";
import { type MacVerification, pauseUnverified } from "@/lib/merchants/verify-address";
import { brandIn, chainOf, findRowsTogether, headOf, waitOf } from "@/lib/orders/find-checkout";

/** A function that finds the stored row of a deposit address for its page. */
type FindDepositRow = (id: string) => Promise<DepositPageRow | null>;

/** The dependencies of the pages of deposit addresses. */
export interface DepositReader {
  findDepositRow: FindDepositRow;
  /** Returns the current version of a deposit address, or null if there is no such address. */
  findDepositVersion: (id: string) => Promise<number | null>;
}

/** Returns functions that find the rows and the versions of deposit addresses. Concurrent page requests are batched in one statement. */
export function readDepositsTogether(db: Db): DepositReader {
  const findVersion = findRowsTogether((ids) => listDepositVersions(db, ids));
  return {
    findDepositRow: findRowsTogether((ids) => listDepositPageRows(db, ids)),
    findDepositVersion: async (id) => (await findVersion(id))?.version ?? null,
  };
}

/**
 * Returns the data of a deposit address page; null if there is no such address. An address that fails its MAC check, or differs from the
 * assigned one, is never shown: it is paused and reported.
 */
export async function findDepositPage(
  db: Db,
  ctx: Pick<DepositReader, "findDepositRow"> & { orders: MacVerification },
  id: string,
  now: Date,
): Promise<DepositFacts | null> {
  const row = await ctx.findDepositRow(id);
  if (!row) return null;
  const state = stateOf(row, ctx.orders);
  if (state === "broken" && !row.is_paused) await pause(db, ctx.orders, row, now);
  return {
    id: row.id,
    version: row.version,
    state,
    network: row.network,
    address: row.address,
    merchantName: row.merchant_name,
    brand: brandIn(row),
    chain: chainOf(row),
    transfers: row.transfers?.map(transferOf) ?? [],
  };
}

/** Returns the logo of a deposit address's page, as a base64-encoded WebP. Does not query the database if the merchant has no logo. */
export async function findDepositPageLogo(db: Db, { id, brand }: Pick<DepositFacts, "id" | "brand">) {
  return brand.hasLogo ? findDepositLogo(db, id) : null;
}

function stateOf(row: DepositPageRow, { isVerifiedAddress }: MacVerification): DepositState {
  if (verifiedAddress({ ...row, merchantId: row.merchant_id }, isVerifiedAddress) === null) return "broken";
  return row.is_closed ? "closed" : "open";
}

async function pause(db: Db, ctx: MacVerification, row: DepositPageRow, now: Date): Promise<void> {
  const owner = { merchantId: row.merchant_id, mchOrderId: row.customer_ref };
  const address = { network: row.network, address: row.address, receivingAddressId: row.receiving_address_id };
  await db.transaction((tx) => pauseUnverified(tx, ctx, owner, address, now));
}

function transferOf(row: DepositTransferRow): DepositTransfer {
  return {
    network: row.network,
    token: row.token,
    currency: row.currency,
    txId: row.tx_id,
    baseUnits: BigInt(row.base_units),
    blockHeight: row.block_height,
    isConfirmed: row.is_confirmed,
    isReversed: row.is_reversed,
    head: headOf(row),
    wait: waitOf(row),
    seenAt: new Date(row.seen_ms),
  };
}
