import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
import type { SourceKind } from "@/lib/domain/addresses/load";
import type { COIN_NAME, Currency, Family } from "@/lib/domain/networks";

/**
 * Returns a batch of a merchant's receivers and xpub-derived addresses of a family, including removed ones, ordered by address, starting
 * after a given address.
 * @param onlyServed excludes those that never had an order
 */
export async function listOwn(
  db: Db,
  merchantId: string,
  { family, after, onlyServed, limit }: { family: Family; after: string; onlyServed: boolean; limit: number },
): Promise<{ address: string; hasServed: boolean }[]> {
  return db.execute<{ address: string; hasServed: boolean }>(sql`
    select address, bool_or(rests_until > 'epoch') as "hasServed" from receiving_addresses
    where merchant_id = ${merchantId} and family = ${family} and source <> 'pasted' and address > ${after}
      ${onlyServed ? sql`and rests_until > 'epoch'` : sql``}
    group by address order by address limit ${limit}`);
}

/** The progress of reading the derived addresses' balances on a network: the numbers of pending and of failed reads. */
export interface ReadingState {
  network: string;
  due: number;
  failed: number;
}

/** Returns the networks with pending or failed reads. */
export async function listReadings(db: Db, merchantId: string, networks: readonly string[]): Promise<ReadingState[]> {
  if (networks.length === 0) return [];
  return db.execute<{ network: string; due: number; failed: number }>(sql`
    select b.network, count(*) filter (where b.is_due)::int as due,
      count(*) filter (where not b.is_due and b.said <> 'read')::int as failed
    from address_balances b
    where b.merchant_id = ${merchantId} and b.network = any(${idList(networks)}) and (b.is_due or b.said <> 'read')
      and exists (select from receiving_addresses r
        where r.merchant_id = b.merchant_id and r.address = b.address and r.source <> 'pasted')
    group by b.network order by b.network`);
}

/** A balance of a derived address as last read, with the source of the address. */
export interface OwnBalance {
  network: string;
  address: string;
  /** The token contract in canonical form, or `COIN` for the native coin. */
  token: string;
  currency: Currency | typeof COIN_NAME;
  baseUnits: bigint;
  readAt: Date;
  sourceId: string;
  sourceIndex: number;
  kind: SourceKind;
}

/** Returns the balances of a merchant's receivers and xpub-derived addresses of a family, also on networks where they serve no orders. */
export async function listOwnBalances(
  db: Db,
  merchantId: string,
  { family, networks }: { family: Family; networks: readonly string[] },
  limit: number,
): Promise<OwnBalance[]> {
  if (networks.length === 0) return [];
  const rows = await db.execute<Omit<OwnBalance, "baseUnits" | "readAt"> & { units: string; readMs: string }>(sql`
    select b.network, b.address, b.token, b.currency, b.balance_units::text as units,
      (extract(epoch from b.read_at) * 1000)::bigint::text as "readMs",
      own.source_id as "sourceId", own.source_index as "sourceIndex", own.source as kind
    from address_balances b cross join lateral (
      select r.source_id, r.source_index, r.source from receiving_addresses r
      where r.merchant_id = b.merchant_id and r.family = ${family} and r.address = b.address and r.source <> 'pasted' limit 1) own
    where b.merchant_id = ${merchantId} and b.network = any(${idList(networks)}) and b.balance_units > 0 and b.read_at is not null
    order by b.network, own.source_id, own.source_index, b.currency limit ${limit}`);
  return rows.map(({ units, readMs, ...row }) => ({
    ...row,
    baseUnits: BigInt(units),
    readAt: new Date(Number(readMs)),
  }));
}

/** Returns true if an address is a receiver or an xpub-derived address of the merchant. */
export async function isOwnDerived(db: Db, merchantId: string, family: Family, address: string): Promise<boolean> {
  const rows = await db.execute(sql`
    select 1 from receiving_addresses
    where merchant_id = ${merchantId} and family = ${family} and address = ${address} and source <> 'pasted' limit 1`);
  return rows.length > 0;
}
