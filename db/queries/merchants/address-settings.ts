import { and, eq, inArray, isNull, ne, or, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { keyset, type Page, toPage } from "@/db/queries/keyset";
import { familyAddresses, orders, quotes, receivingAddresses } from "@/db/schema";
import type { PooledAddress } from "@/lib/domain/addresses/load";
import type { ListCursor } from "@/lib/domain/list-cursor";
import { getNetwork } from "@/lib/domain/networks";

type AddressRow = typeof receivingAddresses.$inferSelect;
export type NewAddress = Pick<AddressRow, "id" | "merchantId" | "network" | "address" | "kind" | "label" | "mac"> &
  Partial<Pick<AddressRow, "source" | "sourceId" | "sourceIndex">>;

/**
 * An address with its load: the number of quotes that currently reserve an amount on it, the number of their orders that are pending or
 * confirming, and the time until which the longest quote is reserved.
 */
export type ListedAddress = Omit<AddressRow, "merchantId" | "removedAt" | "family" | "guardedUntil" | "guardLevel"> & {
  liveQuotes: number;
  openOrders: number;
  reservedUntil: Date | null;
};

const hasLiveQuotes = sql`exists (select from ${quotes} where ${quotes.merchantId} = ${receivingAddresses.merchantId} and ${quotes.address} = ${receivingAddresses.address} and ${quotes.receivingAddressId} = ${receivingAddresses.id} and ${quotes.releasedAt} is null)`;
/** A condition: true if the kind of an address must not change. An address that belongs to a customer permanently stays dedicated. */
const isHeld = sql`(${hasLiveQuotes}
  or is_permanent_address(receiving_addresses.merchant_id, receiving_addresses.family, receiving_addresses.address))`;
const isStandingOf = (merchantId: string) =>
  and(eq(receivingAddresses.merchantId, merchantId), isNull(receivingAddresses.removedAt));
const isOf = (merchantId: string, id: string) => and(isStandingOf(merchantId), eq(receivingAddresses.id, id));

/**
 * Adds an address, or restores one that this merchant removed before. A removed address with live quotes keeps its kind. On all networks
 * of a family, an address belongs to one merchant and has one kind. Call it in a transaction, which locks the address until it ends.
 * @returns the id of the address, or null if the address already exists, belongs to a different merchant, or must be of a different kind
 */
export async function insertAddress(db: Db, row: NewAddress, now: Date): Promise<string | null> {
  const family = getNetwork(row.network).family;
  const owner = await ownAddress(db, { family, address: row.address, merchantId: row.merchantId });
  if (owner !== row.merchantId || (await findOtherKind(db, row))) return null;
  const rows = await db
    .insert(receivingAddresses)
    .values({ ...row, family, createdAt: now, ...restrictionsOf({ ...row, family }) })
    .onConflictDoUpdate({
      target: [receivingAddresses.merchantId, receivingAddresses.network, receivingAddresses.address],
      set: {
        kind: row.kind,
        label: row.label,
        mac: row.mac,
        pausedAt: null,
        removedAt: null,
        source: row.source ?? "pasted",
        sourceId: row.sourceId ?? null,
        sourceIndex: row.sourceIndex ?? null,
      },
      setWhere: sql`${receivingAddresses.merchantId} = ${row.merchantId} and ${receivingAddresses.removedAt} is not null
        and (${receivingAddresses.kind} = ${row.kind} or not ${isHeld})`,
    })
    .returning({ id: receivingAddresses.id });
  return rows[0]?.id ?? null;
}

/**
 * Returns the restrictions of an address: the time from which it is available again, and the amounts that it offers. An account has the
 * same restrictions on all networks of its family.
 */
function restrictionsOf({ merchantId, family, address }: Pick<AddressRow, "merchantId" | "family" | "address">) {
  const same = sql`from receiving_addresses s where s.merchant_id = ${merchantId} and s.family = ${family} and s.address = ${address}`;
  return {
    availableAt: sql`coalesce((select max(s.rests_until) ${same}), 'epoch')`,
    guardedUntil: sql`coalesce((select max(s.guarded_until) ${same}), 'epoch')`,
    guardLevel: sql`coalesce((select max(s.guard_level) ${same}), 0)`,
  };
}

/**
 * Assigns an address to a merchant, unless it belongs to a different merchant.
 * @returns the merchant that the address belongs to
 */
async function ownAddress(db: Db, row: typeof familyAddresses.$inferInsert): Promise<string | null> {
  const [owner] = await db
    .insert(familyAddresses)
    .values(row)
    .onConflictDoUpdate({
      target: [familyAddresses.family, familyAddresses.address],
      set: { merchantId: sql`${familyAddresses.merchantId}` },
    })
    .returning({ merchantId: familyAddresses.merchantId });
  return owner?.merchantId ?? null;
}

/**
 * Returns a different network of the family on which an address is in use, or still reserves amounts, as the other kind; null if there is
 * none.
 */
export async function findOtherKind(
  db: Db,
  { network, address, kind }: Pick<AddressRow, "network" | "address" | "kind">,
): Promise<Pick<AddressRow, "network" | "kind"> | null> {
  const [other] = await db
    .select({ network: receivingAddresses.network, kind: receivingAddresses.kind })
    .from(receivingAddresses)
    .where(
      and(
        eq(receivingAddresses.family, getNetwork(network).family),
        eq(receivingAddresses.address, address),
        ne(receivingAddresses.network, network),
        ne(receivingAddresses.kind, kind),
        or(isNull(receivingAddresses.removedAt), isHeld),
      ),
    )
    .limit(1);
  return other ?? null;
}

/**
 * Returns the merchant that an address belongs to on a network, and the removal state of the address; null if it belongs to no merchant
 * there.
 */
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

/** Returns one page of a merchant's addresses without removed ones, newest first. `only` restricts the page to these addresses. */
export async function listAddresses(
  db: Db,
  merchantId: string,
  cursor: ListCursor,
  limit: number,
  only: readonly string[] | null = null,
): Promise<Page<ListedAddress>> {
  const { where, order } = keyset(receivingAddresses.id, cursor);
  const read = await db
    .select({
      id: receivingAddresses.id,
      network: receivingAddresses.network,
      address: receivingAddresses.address,
      kind: receivingAddresses.kind,
      label: receivingAddresses.label,
      mac: receivingAddresses.mac,
      createdAt: receivingAddresses.createdAt,
      pausedAt: receivingAddresses.pausedAt,
      availableAt: receivingAddresses.availableAt,
      source: receivingAddresses.source,
      sourceId: receivingAddresses.sourceId,
      sourceIndex: receivingAddresses.sourceIndex,
      liveQuotes: sql<number>`load.live`,
      openOrders: sql<number>`load.open`,
      reservedUntil: sql<Date | null>`load.reserved_until`.mapWith(quotes.reservedUntil),
    })
    .from(receivingAddresses)
    .crossJoin(LOAD)
    .where(and(isStandingOf(merchantId), where, only === null ? undefined : inArray(receivingAddresses.id, [...only])))
    .orderBy(order)
    .limit(limit + 1);
  return toPage(read, cursor, limit);
}

const LIVE_HERE = sql`select order_id, merchant_id, reserved_until from quotes where merchant_id = ${receivingAddresses.merchantId}
  and address = ${receivingAddresses.address} and released_at is null`;

/** A from-item that counts the load through the indexes of live quotes, so that old quotes are not read. */
const LOAD = sql`lateral (
  select count(*)::int as live, count(*) filter (where o.status in ('pending', 'confirming'))::int as open,
    max(q.reserved_until) as reserved_until
  from (
    ${LIVE_HERE} and receiving_address_id = ${receivingAddresses.id} and kind = 'shared' and not shares_amount
    union all
    ${LIVE_HERE} and receiving_address_id = ${receivingAddresses.id} and shares_amount
    union all
    ${LIVE_HERE} and family = ${receivingAddresses.family} and kind = 'dedicated') q
  join orders o on o.id = q.order_id and o.merchant_id = q.merchant_id) load`;

/** Returns the MACs of a merchant's addresses with the fields that they cover, without removed ones. */
export async function listAddressMacs(db: Db, merchantId: string) {
  return db
    .select({
      id: receivingAddresses.id,
      network: receivingAddresses.network,
      address: receivingAddresses.address,
      kind: receivingAddresses.kind,
      mac: receivingAddresses.mac,
      sourceId: receivingAddresses.sourceId,
      sourceIndex: receivingAddresses.sourceIndex,
    })
    .from(receivingAddresses)
    .where(isStandingOf(merchantId));
}

/** Returns the load of each dedicated address of a merchant. Each address has at most one live quote across all networks of its family. */
export async function listPooledAddresses(db: Db, merchantId: string): Promise<PooledAddress[]> {
  const rows = await db
    .select({
      network: receivingAddresses.network,
      kind: receivingAddresses.kind,
      pausedAt: receivingAddresses.pausedAt,
      availableAt: receivingAddresses.availableAt,
      reservedUntil: quotes.reservedUntil,
      status: orders.status,
    })
    .from(receivingAddresses)
    .leftJoin(
      quotes,
      and(
        eq(quotes.merchantId, receivingAddresses.merchantId),
        eq(quotes.address, receivingAddresses.address),
        eq(quotes.family, receivingAddresses.family),
        eq(quotes.kind, "dedicated"),
        isNull(quotes.releasedAt),
      ),
    )
    .leftJoin(orders, and(eq(orders.id, quotes.orderId), eq(orders.merchantId, quotes.merchantId)))
    .where(and(isStandingOf(merchantId), eq(receivingAddresses.kind, "dedicated")))
    .orderBy(receivingAddresses.id);
  return rows.map(({ status, ...row }) => ({
    ...row,
    liveQuotes: status === null ? 0 : 1,
    openOrders: status === "pending" || status === "confirming" ? 1 : 0,
  }));
}

/** Returns the networks on which a merchant has or had an address. The merchant has no orders or transfers on any other network. */
export async function listAddressNetworks(db: Db, merchantId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ network: receivingAddresses.network })
    .from(receivingAddresses)
    .where(eq(receivingAddresses.merchantId, merchantId));
  return rows.map(({ network }) => network);
}

/** Returns true if a merchant has a shared address that is not removed. */
export async function hasSharedAddress(db: Db, merchantId: string): Promise<boolean> {
  const { id, kind, removedAt } = receivingAddresses;
  const isShared = and(eq(receivingAddresses.merchantId, merchantId), eq(kind, "shared"), isNull(removedAt));
  return (await db.select({ id }).from(receivingAddresses).where(isShared).limit(1)).length > 0;
}

/** Locks an existing address until the transaction ends. Returns null if the merchant has no such address. */
export async function lockAddress(db: Db, at: { merchantId: string; id: string }) {
  const [row] = await db.select().from(receivingAddresses).where(isOf(at.merchantId, at.id)).for("update");
  return row ?? null;
}

type AddressChange = { label: string } | { pausedAt: Date | null } | { removedAt: Date };

/** Changes an address that is not removed. Returns the new values of the row, or null if the merchant has no such address. */
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
