import { sql } from "drizzle-orm";
import { APP_SECRET } from "@/bench/world";
import type { Db } from "@/db/client";
import { familyAddresses, orders, quotes, receivingAddresses } from "@/db/schema";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { newId } from "@/lib/domain/id";
import { unitsPerStep } from "@/lib/domain/money";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { addressMac } from "@/lib/merchants/vault";

interface AddressSeed {
  merchantId: string;
  network: string;
  address: string;
}

/** Inserts a shared receiving address of a merchant. */
export async function seedAddress(db: Db, seed: AddressSeed, now: Date) {
  const row = { ...seed, kind: "shared" as const };
  const { family } = getNetwork(seed.network);
  const id = newId(now);
  await db
    .insert(familyAddresses)
    .values({ family, ...row })
    .onConflictDoNothing();
  await db.insert(receivingAddresses).values({ id, ...row, family, mac: addressMac(APP_SECRET, row), createdAt: now });
  return { id, ...row };
}

interface OrderSeed {
  address: { id: string; merchantId: string; network: string; address: string; kind: "shared" | "dedicated" };
  baseUnits: bigint;
  currency?: "USDT" | "USDC";
  expiresInSeconds?: number;
  lateWindowSeconds?: number;
  notifyUrl?: string;
  /** The key that created the order; undefined if a user created it. */
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

/**
 * Returns the columns by which quotes are compared across the networks of a family. Amounts below one step are not converted to steps,
 * because all of them would become 0.
 */
function publicOf(networkId: string, currency: "USDT" | "USDC", baseUnits: bigint) {
  const network = getNetwork(networkId);
  const step = unitsPerStep(getToken(network, currency).decimals);
  return { family: network.family, microUnits: baseUnits < step ? baseUnits : baseUnits / step };
}

interface ManyOrders {
  address: OrderSeed["address"];
  /** The base units of the first order. Each following order requests one more. */
  first: number;
  count: number;
}

/** Inserts pending orders with one live quote each, all at one address, in one batch. */
export async function seedManyOrders(db: Db, { address, first, count }: ManyOrders, now: Date): Promise<void> {
  const { id: addressId, merchantId, network, address: to, kind } = address;
  const token = contractOf(network, "USDT");
  const at = sql`${now.toISOString()}::timestamptz`;
  const units = sql`generate_series(${first}::int, ${first + count - 1}::int) units`;
  await db.transaction(async (tx) => {
    // Foreign keys are valid by construction, and checking them would take longer than writing.
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

/** Returns the canonical form of a token's contract address. */
function contractOf(networkId: string, currency: "USDT" | "USDC"): string {
  const network = getNetwork(networkId);
  return canonicalAddress(network.family, getToken(network, currency).contract);
}
