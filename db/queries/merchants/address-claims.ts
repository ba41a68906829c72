import { and, eq, isNotNull, isNull, lt, ne, not, or, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { addressClaims, familyAddresses } from "@/db/schema";
import { CELL } from "@/lib/domain/id";
import type { Family } from "@/lib/domain/networks";

/** An address in its canonical form, on all networks of a family. */
export interface FamilyAddress {
  family: Family;
  address: string;
}

type Claim = typeof addressClaims.$inferSelect;

const isOne = ({ family, address }: FamilyAddress) =>
  and(eq(addressClaims.family, family), eq(addressClaims.address, address));
const isOneOf = (addresses: readonly FamilyAddress[]) => or(...addresses.map(isOne)) ?? sql`false`;

/** Whether the first cell's database is of a version that has claims. */
export async function hasClaims(directory: Db): Promise<boolean> {
  const [found] = await directory.execute<{ is: boolean }>(sql`select to_regclass('address_claims') is not null as is`);
  return found?.is === true;
}

/**
 * Claims an address for a cell, or once more. Whoever reads the claim later sees by its time that a use may be under way.
 * @param directory the first cell's database
 * @returns false: it is another cell's
 */
export async function claimAddress(directory: Db, cell: string, one: FamilyAddress, now: Date): Promise<boolean> {
  const rows = await directory
    .insert(addressClaims)
    .values({ family: one.family, address: one.address, cell, pendingSince: now })
    .onConflictDoUpdate({
      target: [addressClaims.family, addressClaims.address],
      set: { pendingSince: now },
      setWhere: eq(addressClaims.cell, cell),
    })
    .returning({ cell: addressClaims.cell });
  return rows.length > 0;
}

/**
 * The same for the first cell, with its use, in one statement: a single cell asks no more often than it would without others.
 * @returns whose it is; null: another cell's
 */
export async function claimAndOwn(
  db: Db,
  { family, address, merchantId }: FamilyAddress & { merchantId: string },
  now: Date,
): Promise<string | null> {
  const rows = await db.execute<{ merchant_id: string }>(sql`
    with claim as (
      insert into address_claims (family, address, cell, pending_since)
      values (${family}, ${address}, ${CELL}, ${now.toISOString()}::timestamptz)
      on conflict (family, address) do update set pending_since = excluded.pending_since
        where address_claims.cell = excluded.cell
      returning family, address)
    insert into family_addresses (family, address, merchant_id)
    select family, address, ${merchantId} from claim
    on conflict (family, address) do update set merchant_id = family_addresses.merchant_id
    returning merchant_id`);
  return rows[0]?.merchant_id ?? null;
}

/** Claims addresses that a cell has already, without a time; those that are claimed stay as they are. */
export async function enterAddresses(directory: Db, cell: string, addresses: readonly FamilyAddress[]): Promise<void> {
  if (addresses.length === 0) return;
  await directory
    .insert(addressClaims)
    .values(addresses.map(({ family, address }) => ({ family, address, cell, pendingSince: null })))
    .onConflictDoNothing();
}

/** Which of some addresses are claimed by other cells. */
export async function listForeign(directory: Db, cell: string, addresses: readonly FamilyAddress[]): Promise<Claim[]> {
  if (addresses.length === 0) return [];
  return directory
    .select()
    .from(addressClaims)
    .where(and(ne(addressClaims.cell, cell), isOneOf(addresses)));
}

/** Gives an address to another cell, unless it was claimed again since `claim` was read. @returns whether it did */
export async function moveClaim(directory: Db, claim: Claim, cell: string): Promise<boolean> {
  const rows = await directory
    .update(addressClaims)
    .set({ cell, pendingSince: null })
    .where(isUnchanged(claim))
    .returning({ cell: addressClaims.cell });
  return rows.length > 0;
}

/** Claims of a cell whose use was not yet seen, from before a time. */
export async function listPending(directory: Db, cell: string, before: Date, limit: number): Promise<Claim[]> {
  return directory
    .select()
    .from(addressClaims)
    .where(
      and(eq(addressClaims.cell, cell), isNotNull(addressClaims.pendingSince), lt(addressClaims.pendingSince, before)),
    )
    .orderBy(addressClaims.pendingSince)
    .limit(limit);
}

/** Notes that a claim is used, or gives it up; one that was claimed again meanwhile stays. */
export async function settleClaim(directory: Db, claim: Claim, isUsed: boolean): Promise<void> {
  if (isUsed) await directory.update(addressClaims).set({ pendingSince: null }).where(isUnchanged(claim));
  else await directory.delete(addressClaims).where(isUnchanged(claim));
}

const isUnchanged = (claim: Claim) =>
  and(
    isOne(claim),
    eq(addressClaims.cell, claim.cell),
    claim.pendingSince === null
      ? isNull(addressClaims.pendingSince)
      : eq(addressClaims.pendingSince, claim.pendingSince),
  );

/** Stands on a network, or an amount is still held at it. Of a single table drizzle writes columns without its name: here they have it. */
const isInUse = sql<boolean>`(exists (select from receiving_addresses a where a.merchant_id = family_addresses.merchant_id
    and a.family = family_addresses.family and a.address = family_addresses.address and a.removed_at is null)
  or exists (select from quotes q where q.merchant_id = family_addresses.merchant_id and q.address = family_addresses.address
    and q.family = family_addresses.family and q.released_at is null))`;

const ADDRESS = { family: familyAddresses.family, address: familyAddresses.address };

/** Whether somebody of this cell has an address, and uses it; null: nobody has. */
export async function findUse(db: Db, { family, address }: FamilyAddress): Promise<{ isInUse: boolean } | null> {
  const [row] = await db
    .select({ isInUse })
    .from(familyAddresses)
    .where(and(eq(familyAddresses.family, family), eq(familyAddresses.address, address)));
  return row ?? null;
}

/** Addresses of a cell that follow one, in their order: those in use, or those that are no longer. */
export async function listOwnedAfter(
  db: Db,
  after: FamilyAddress | null,
  isUsed: boolean,
  limit: number,
): Promise<FamilyAddress[]> {
  const follows =
    after && sql`(${familyAddresses.family}, ${familyAddresses.address}) > (${after.family}, ${after.address})`;
  return db
    .select(ADDRESS)
    .from(familyAddresses)
    .where(and(follows ?? undefined, isUsed ? isInUse : not(isInUse)))
    .orderBy(familyAddresses.family, familyAddresses.address)
    .limit(limit);
}
