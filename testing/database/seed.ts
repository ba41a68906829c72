import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import {
  apiKeys,
  cursors,
  familyAddresses,
  memberships,
  merchants,
  orders,
  quotes,
  receivingAddresses,
  transfers,
  users,
} from "@/db/schema";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { newId } from "@/lib/domain/id";
import { generateApiKey, generateSecret, hashApiKey } from "@/lib/domain/keys/api-key";
import type { Role } from "@/lib/domain/keys/role";
import { unitsPerStep } from "@/lib/domain/money";
import { findNetwork, getNetwork, getToken } from "@/lib/domain/networks";
import { protectKeyHash } from "@/lib/merchants/key-hashes";
import { addressMac, encrypt } from "@/lib/merchants/vault";

export const TEST_APP_SECRET = "a-secret-for-tests-that-is-long-enough";

const hex = (text: string, length: number) => Buffer.from(text).toString("hex").padStart(length, "0").slice(-length);

/** Inserts a merchant with one live API key. */
export async function seedMerchant(db: Db, now: Date) {
  const id = newId(now);
  const keyId = newId(now);
  const apiKey = generateApiKey("test");
  const secret = generateSecret();
  await db.insert(merchants).values({ id, name: "Test shop", createdAt: now });
  await db.insert(apiKeys).values({
    id: keyId,
    merchantId: id,
    name: "test",
    prefix: apiKey.slice(0, 12),
    ...protectKeyHash(TEST_APP_SECRET, keyId, hashApiKey(apiKey)),
    secretCipher: encrypt(TEST_APP_SECRET, `api_keys:${keyId}`, secret),
    createdAt: now,
  });
  return { id, keyId, apiKey, secret };
}

/** Inserts a user of a merchant, with an unknown password. */
export async function seedPerson(
  db: Db,
  seed: { merchantId: string; userId?: string; email?: string; role?: Role },
  now: Date,
): Promise<string> {
  const { merchantId, userId = newId(now), role = "owner" } = seed;
  const email = seed.email ?? `${userId.toLowerCase()}@example.com`;
  await db.insert(users).values({ id: userId, email, passwordHash: "", createdAt: now });
  await db.insert(memberships).values({ merchantId, userId, role, since: now });
  return userId;
}

interface AddressSeed {
  merchantId: string;
  network?: string;
  kind?: "shared" | "dedicated";
  address?: string;
}

/** Inserts a receiving address of a merchant, with its MAC. */
export async function seedAddress(db: Db, seed: AddressSeed, now: Date) {
  const id = newId(now);
  const row = {
    merchantId: seed.merchantId,
    network: seed.network ?? "ethereum",
    address: seed.address ?? `0x${hex(id, 40)}`,
    kind: seed.kind ?? ("shared" as const),
  };
  // A test can use a network that is not in the networks table yet; all such networks belong to the EVM family.
  const family = findNetwork(row.network)?.family ?? "evm";
  await db
    .insert(familyAddresses)
    .values({ family, ...row })
    .onConflictDoNothing();
  await db
    .insert(receivingAddresses)
    .values({ id, ...row, family, mac: addressMac(TEST_APP_SECRET, row), createdAt: now });
  return { id, ...row };
}

/** Replaces the address of a row without updating its MAC, as an attacker with access to the database would. */
export async function tamperAddress(db: Db, id: string, address: string): Promise<void> {
  await db.execute(sql`insert into family_addresses (family, address, merchant_id)
    select family, ${address}, merchant_id from receiving_addresses where id = ${id} on conflict do nothing`);
  await db.execute(sql`update receiving_addresses set address = ${address} where id = ${id}`);
}

interface OrderSeed {
  address: { id: string; merchantId: string; network: string; address: string; kind: "shared" | "dedicated" };
  baseUnits: bigint;
  currency?: "USDT" | "USDC";
  expiresInSeconds?: number;
  lateWindowSeconds?: number;
  notifyUrl?: string;
  /** The key that created the order; omitted if a user created it. */
  apiKeyId?: string;
}

/** Inserts a pending order with one live quote at an address. */
export async function seedOrder(db: Db, seed: OrderSeed, now: Date) {
  const id = newId(now);
  const quoteId = newId(now);
  const { address, baseUnits } = seed;
  const currency = seed.currency ?? "USDT";
  const expiresAt = new Date(now.getTime() + (seed.expiresInSeconds ?? 1_800) * 1_000);
  const reservedUntil = new Date(expiresAt.getTime() + (seed.lateWindowSeconds ?? 10_800) * 1_000);
  const token = contractOf(address.network, currency);
  await db.transaction(async (tx) => {
    await tx.insert(orders).values({
      id,
      merchantId: address.merchantId,
      apiKeyId: seed.apiKeyId ?? null,
      mchOrderId: id,
      network: address.network,
      currency,
      amountUnits: baseUnits,
      quoteId,
      status: "pending",
      expiresAt,
      createdAt: now,
      changedAt: now,
      notifyUrl: seed.notifyUrl ?? null,
    });
    await tx.insert(quotes).values({
      id: quoteId,
      merchantId: address.merchantId,
      orderId: id,
      receivingAddressId: address.id,
      network: address.network,
      currency,
      token,
      address: address.address,
      kind: address.kind,
      baseUnits,
      ...publicOf(address.network, currency, baseUnits),
      createdAt: now,
      reservedUntil,
    });
  });
  return { id, quoteId, token, currency, expiresAt, reservedUntil, baseUnits, address };
}

/** Returns the columns that are used to compare quotes across the networks of a family. */
export function publicOf(networkId: string, currency: "USDT" | "USDC", baseUnits: bigint) {
  const network = getNetwork(networkId);
  const microUnits = baseUnits / unitsPerStep(getToken(network, currency).decimals);
  return { family: network.family, microUnits };
}

interface ManyOrders {
  address: OrderSeed["address"];
  /** The base units of the first order; each further order requests one base unit more. */
  first: number;
  count: number;
}

/** Inserts pending orders with one live quote each, all at the same address, in one statement. */
export async function seedManyOrders(db: Db, { address, first, count }: ManyOrders, now: Date): Promise<void> {
  const { id: addressId, merchantId, network, address: to, kind } = address;
  const token = contractOf(network, "USDT");
  const at = sql`${now.toISOString()}::timestamptz`;
  const units = sql`generate_series(${first}::int, ${first + count - 1}::int) units`;
  await db.transaction(async (tx) => {
    // Checking the foreign keys takes longer than the inserts, and they are valid by construction.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into orders (id, merchant_id, mch_order_id, network, currency, amount_units, quote_id, status, expires_at,
        created_at, changed_at)
      select 'many-' || units, ${merchantId}, 'many-' || units, ${network}, 'USDT', units, 'quote-' || units, 'pending',
        ${at} + interval '30 minutes', ${at}, ${at} from ${units}`);
    await tx.execute(sql`
      insert into quotes (id, merchant_id, order_id, receiving_address_id, network, currency, token, address, kind, base_units,
        family, micro_units, created_at, reserved_until)
      select 'quote-' || units, ${merchantId}, 'many-' || units, ${addressId}, ${network}, 'USDT', ${token}, ${to}, ${kind}, units,
        ${getNetwork(network).family}, units, ${at}, ${at} + interval '3 hours' from ${units}`);
  });
}

interface TransferSeed {
  address: { id: string; merchantId: string; network: string; address: string };
  currency?: "USDT" | "USDC";
  /** The symbol of a look-alike; the first look-alike with this symbol replaces the currency. */
  lookAlike?: string;
  baseUnits: bigint;
  blockHeight?: number;
  blockTime?: Date;
  txId?: string;
  position?: string;
}

/** Returns the canonical form of a token's contract. */
function contractOf(networkId: string, currency: "USDT" | "USDC"): string {
  const network = getNetwork(networkId);
  return canonicalAddress(network.family, getToken(network, currency).contract);
}

function lookAlikeOf(networkId: string, symbol: string | undefined): string {
  const { family, lookAlikes } = getNetwork(networkId);
  const lookAlike = lookAlikes.find((one) => one.symbol === symbol);
  if (!lookAlike) throw new Error(`${networkId} has no look-alike ${symbol}`);
  return canonicalAddress(family, lookAlike.contract);
}

/** Inserts a transfer as the scanner does: seen and not yet matched. */
export async function seedTransfer(db: Db, seed: TransferSeed, now: Date) {
  const id = newId(now);
  const { address } = seed;
  const currency = seed.lookAlike ? null : (seed.currency ?? "USDT");
  const token = currency ? contractOf(address.network, currency) : lookAlikeOf(address.network, seed.lookAlike);
  const blockHeight = seed.blockHeight ?? 100;
  const row = {
    id,
    merchantId: address.merchantId,
    network: address.network,
    txId: seed.txId ?? `0x${hex(id, 64)}`,
    position: seed.position ?? `${token}:0`,
    currency,
    token,
    fromAddress: `0x${"11".repeat(20)}`,
    toAddress: address.address,
    baseUnits: seed.baseUnits,
    blockHeight,
    blockHash: `0x${blockHeight.toString(16).padStart(64, "0")}`,
    blockTime: seed.blockTime ?? now,
    status: "seen" as const,
    receivingAddressId: address.id,
    seenAt: now,
  };
  await db.insert(transfers).values(row);
  return row;
}

/** Inserts the cursor of a network. */
export async function seedCursor(db: Db, network: string, blockTime: Date, headHeight = 100): Promise<void> {
  const row = {
    height: headHeight,
    hash: "0x00",
    blockTime,
    headHeight,
    headTime: blockTime,
    finalizedHeight: headHeight - 4,
    caughtUpAt: blockTime,
    respondedAt: blockTime,
  };
  await db
    .insert(cursors)
    .values({ network, ...row })
    .onConflictDoUpdate({ target: cursors.network, set: row });
}
