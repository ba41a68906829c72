import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
import type { SourceKind } from "@/lib/domain/addresses/load";
import type { Currency, Family } from "@/lib/domain/networks";

/**
 * A merchant's receivers and addresses of public keys of a family that ever served an order, on whatever network, removed ones too;
 * those that served last first.
 */
export async function listServed(db: Db, merchantId: string, family: Family, limit: number): Promise<string[]> {
  const rows = await db.execute<{ address: string }>(sql`
    select address from receiving_addresses
    where merchant_id = ${merchantId} and family = ${family} and source <> 'pasted' and rests_until > 'epoch'
    group by address order by max(rests_until) desc, address limit ${limit}`);
  return rows.map(({ address }) => address);
}

/** Money that lies on an own address, as its chain was read last, and what the address comes from. */
export interface OwnBalance {
  network: string;
  address: string;
  token: string;
  currency: Currency;
  baseUnits: bigint;
  readAt: Date;
  sourceId: string;
  sourceIndex: number;
  kind: SourceKind;
}

/** What lies on a merchant's receivers and addresses of public keys of a family, on networks where they serve and where they do not. */
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
