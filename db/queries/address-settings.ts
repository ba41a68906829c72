import { and, asc, count, eq, isNull, max, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { orders, quotes, receivingAddresses } from "@/db/schema";

type AddressRow = typeof receivingAddresses.$inferSelect;
export type NewAddress = Pick<AddressRow, "id" | "merchantId" | "network" | "address" | "kind" | "label" | "mac">;

/**
 * An address with its load: quotes that reserve an amount on it now, how many of them are of orders that wait for money or
 * confirm it, and until when the longest of them is reserved.
 */
export type ListedAddress = Omit<AddressRow, "merchantId" | "removedAt"> & {
  liveQuotes: number;
  openOrders: number;
  reservedUntil: Date | null;
};

const hasLiveQuotes = sql`exists (select from ${quotes} where ${quotes.receivingAddressId} = ${receivingAddresses.id} and ${quotes.releasedAt} is null)`;
const isOf = (merchantId: string, id: string) =>
  and(
    eq(receivingAddresses.merchantId, merchantId),
    eq(receivingAddresses.id, id),
    isNull(receivingAddresses.removedAt),
  );

/**
 * Adds an address, or takes back one that this merchant removed before. A removed one whose quotes still live keeps its kind.
 * @returns its id, or null when the address stands already, is another merchant's, or must keep its kind for now.
 */
export async function insertAddress(db: Db, row: NewAddress, now: Date): Promise<string | null> {
  const rows = await db
    .insert(receivingAddresses)
    .values({ ...row, createdAt: now })
    .onConflictDoUpdate({
      target: [receivingAddresses.network, receivingAddresses.address],
      set: { kind: row.kind, label: row.label, mac: row.mac, pausedAt: null, removedAt: null },
      setWhere: sql`${receivingAddresses.merchantId} = ${row.merchantId} and ${receivingAddresses.removedAt} is not null
        and (${receivingAddresses.kind} = ${row.kind} or not ${hasLiveQuotes})`,
    })
    .returning({ id: receivingAddresses.id });
  return rows[0]?.id ?? null;
}

/** Whose an address is and whether it was removed, or null when nobody has it. */
export async function findAddressOwner(
  db: Db,
  network: string,
  address: string,
): Promise<Pick<AddressRow, "merchantId" | "removedAt" | "kind"> | null> {
  const rows = await db
    .select({
      merchantId: receivingAddresses.merchantId,
      removedAt: receivingAddresses.removedAt,
      kind: receivingAddresses.kind,
    })
    .from(receivingAddresses)
    .where(and(eq(receivingAddresses.network, network), eq(receivingAddresses.address, address)));
  return rows[0] ?? null;
}

/** A merchant's addresses without removed ones, oldest first. */
export async function listAddresses(db: Db, merchantId: string): Promise<ListedAddress[]> {
  const load = db.$with("load").as(
    db
      .select({
        addressId: quotes.receivingAddressId,
        live: count().as("live"),
        open: sql<number>`count(*) filter (where ${orders.status} in ('pending', 'confirming'))`.as("open"),
        reservedUntil: max(quotes.reservedUntil).as("reserved_until"),
      })
      .from(quotes)
      .innerJoin(orders, eq(orders.id, quotes.orderId))
      .where(isNull(quotes.releasedAt))
      .groupBy(quotes.receivingAddressId),
  );
  return db
    .with(load)
    .select({
      id: receivingAddresses.id,
      network: receivingAddresses.network,
      address: receivingAddresses.address,
      kind: receivingAddresses.kind,
      label: receivingAddresses.label,
      mac: receivingAddresses.mac,
      createdAt: receivingAddresses.createdAt,
      pausedAt: receivingAddresses.pausedAt,
      restsUntil: receivingAddresses.restsUntil,
      liveQuotes: sql<number>`coalesce(${load.live}, 0)::int`,
      openOrders: sql<number>`coalesce(${load.open}, 0)::int`,
      reservedUntil: load.reservedUntil,
    })
    .from(receivingAddresses)
    .leftJoin(load, eq(load.addressId, receivingAddresses.id))
    .where(and(eq(receivingAddresses.merchantId, merchantId), isNull(receivingAddresses.removedAt)))
    .orderBy(asc(receivingAddresses.createdAt), asc(receivingAddresses.id));
}

type AddressChange = { label: string } | { pausedAt: Date | null } | { removedAt: Date };

/** Changes an address that stands. Null: the merchant has no such address; else what the row says afterwards. */
export async function updateAddress(
  db: Db,
  at: { merchantId: string; id: string },
  change: AddressChange,
): Promise<Pick<AddressRow, "network" | "address"> | null> {
  const rows = await db
    .update(receivingAddresses)
    .set(change)
    .where(isOf(at.merchantId, at.id))
    .returning({ network: receivingAddresses.network, address: receivingAddresses.address });
  return rows[0] ?? null;
}
