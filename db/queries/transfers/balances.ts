import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { rowList } from "@/db/queries/many-rows";
import { addressBalances, receivingAddresses } from "@/db/schema";
import { LOOKUP_ASKED } from "@/lib/domain/channels";
import { COIN, type COIN_NAME, type Currency } from "@/lib/domain/networks";
import type { BalanceAnswer } from "@/lib/domain/transfers/balance";

/**
 * The maximum number of addresses of a network whose balances are read together, because each read costs calls to endpoints. `listHolders`
 * defines their order.
 */
export const MAX_ADDRESSES = 100;

/**
 * Returns a merchant's receiving addresses on a network: removed addresses last, shared addresses before dedicated ones, then from newest
 * to oldest.
 */
export async function listHolders(db: Db, merchantId: string, network: string): Promise<string[]> {
  const rows = await db
    .select({ address: receivingAddresses.address })
    .from(receivingAddresses)
    .where(and(eq(receivingAddresses.merchantId, merchantId), eq(receivingAddresses.network, network)))
    .orderBy(
      sql`${receivingAddresses.removedAt} is not null, ${receivingAddresses.kind} = 'dedicated', ${receivingAddresses.createdAt} desc`,
    )
    .limit(MAX_ADDRESSES);
  return rows.map(({ address }) => address);
}

/** A requested balance of a token at an address on a network. */
export interface AskedBalance {
  network: string;
  address: string;
  /** The token contract in canonical form, or `COIN` for the native coin, whose currency is `COIN_NAME`. */
  token: string;
  currency: Currency | typeof COIN_NAME;
}

/**
 * Requests balances and notifies the workers of their networks. A balance that was requested since a given time is not
 * requested again.
 * @returns the number of requested balances
 */
export async function askForBalances(
  db: Db,
  merchantId: string,
  asked: readonly AskedBalance[],
  { since, now }: { since: Date; now: Date },
): Promise<number> {
  const rows = await db.execute<{ network: string }>(sql`
    insert into address_balances as b (merchant_id, network, address, token, currency, asked_at, is_due)
    select ${merchantId}, a.network, a.address, a.token, a.currency, ${now.toISOString()}::timestamptz, true
    from jsonb_to_recordset(${rowList(asked)}) a (network text, address text, token text, currency text)
    on conflict (merchant_id, network, address, token) do update set asked_at = excluded.asked_at, is_due = true
      where not b.is_due and b.asked_at < ${since.toISOString()}::timestamptz
    returning network`);
  for (const network of new Set(rows.map((row) => row.network)))
    await db.execute(sql`select pg_notify(${LOOKUP_ASKED}, ${network})`);
  return rows.length;
}

export type BalanceRow = typeof addressBalances.$inferSelect;

/** Returns the requested balances on a network, oldest request first. */
export async function listDueBalances(db: Db, network: string, limit: number): Promise<BalanceRow[]> {
  return db
    .select()
    .from(addressBalances)
    .where(and(eq(addressBalances.network, network), addressBalances.isDue))
    .orderBy(asc(addressBalances.askedAt))
    .limit(limit);
}

const isRow = ({ merchantId, network, address, token }: BalanceRow) =>
  and(
    eq(addressBalances.merchantId, merchantId),
    eq(addressBalances.network, network),
    eq(addressBalances.address, address),
    eq(addressBalances.token, token),
  );

/** Stores the result of a read, unless the request has changed. The previous balance stays until a new one is read. */
export async function writeBalance(db: Db, row: BalanceRow, answer: BalanceAnswer, now: Date): Promise<void> {
  const read =
    answer.kind === "read"
      ? {
          balanceUnits: answer.balance.baseUnits,
          height: answer.balance.height,
          readAt: now,
          inUnits: null,
          backUnits: null,
        }
      : {};
  const contradiction = answer.kind === "contradicted" ? answer.said : null;
  await db
    .update(addressBalances)
    .set({ ...read, outcome: answer.kind, triedAt: now, contradiction, isDue: false })
    .where(and(isRow(row), addressBalances.isDue, eq(addressBalances.askedAt, row.askedAt)));
}

/**
 * Computes the ledger totals of at most `limit` balances whose height the network's scan has reached.
 * @returns the number of updated balances
 */
export async function countLedger(db: Db, network: string, height: number, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    update address_balances b set
      in_units = (select coalesce(sum(t.base_units), 0) from transfers t
        where t.merchant_id = b.merchant_id and t.network = b.network and t.to_address = b.address and t.token = b.token
          and t.status in ('seen', 'confirmed') and t.block_height <= b.height),
      back_units = (select coalesce(sum(r.base_units), 0) from transfers t
          join refunds r on r.transfer_id = t.id and r.merchant_id = t.merchant_id and r.state = 'final'
        where t.merchant_id = b.merchant_id and t.network = b.network and t.to_address = b.address and t.token = b.token
          and t.status in ('seen', 'confirmed') and t.block_height <= b.height
          and not exists (select from refund_transfers x
            where x.network = r.network and x.tx_id = r.tx_id and x.merchant_id = r.merchant_id))
        + (select coalesce(sum(x.base_units), 0) from refund_transfers x
        where x.merchant_id = b.merchant_id and x.network = b.network and x.from_address = b.address and x.token = b.token
          and x.status = 'confirmed' and x.refund_id is not null and x.block_height <= b.height)
    from (select merchant_id, network, address, token from address_balances
      where network = ${network} and height <= ${height} and read_at is not null and in_units is null
      order by height limit ${limit}) chosen
    where b.merchant_id = chosen.merchant_id and b.network = chosen.network and b.address = chosen.address and b.token = chosen.token
      and b.in_units is null
    returning 1`);
  return rows.length;
}

/** A token balance with the label of its address. */
export interface ListedBalance extends BalanceRow {
  currency: Currency;
  label: string;
}

/** Returns all balances of a merchant that were requested at least once, ordered by network and address. */
export async function listBalances(
  db: Db,
  merchantId: string,
  networks: readonly string[],
  limit: number,
): Promise<ListedBalance[]> {
  if (networks.length === 0) return [];
  const rows = await db
    .select({ balance: addressBalances, label: receivingAddresses.label })
    .from(addressBalances)
    .innerJoin(
      receivingAddresses,
      and(
        eq(receivingAddresses.merchantId, addressBalances.merchantId),
        eq(receivingAddresses.network, addressBalances.network),
        eq(receivingAddresses.address, addressBalances.address),
      ),
    )
    .where(
      and(
        eq(addressBalances.merchantId, merchantId),
        inArray(addressBalances.network, [...networks]),
        ne(addressBalances.token, COIN),
      ),
    )
    .orderBy(asc(addressBalances.network), asc(addressBalances.address), asc(addressBalances.currency))
    .limit(limit);
  return rows.flatMap(({ balance, label }) => {
    const { currency } = balance;
    return currency === "COIN" ? [] : [{ ...balance, currency, label }];
  });
}
