import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { updateApiKey } from "@/db/queries/merchants/api-keys";
import { insertChannel } from "@/db/queries/notifications/channels";
import { listSigningKeys } from "@/db/queries/plugins/plugins";
import { listInvitations } from "@/db/queries/users/invitations";
import {
  addressSources,
  depositAddresses,
  memberships,
  paymentLinks,
  receivingAddresses,
  transfers,
  users,
} from "@/db/schema";
import type { SourceKind } from "@/lib/domain/addresses/load";
import { newId } from "@/lib/domain/id";
import type { Role } from "@/lib/domain/keys/role";
import { createApiKey } from "@/lib/merchants/api-keys";
import { encrypt } from "@/lib/merchants/vault";
import { switchOnPlugin } from "@/lib/plugins/plugin-settings";
import { claimRefund } from "@/lib/refunds/claim-refund";
import { approveRefund } from "@/lib/refunds/decide-refund";
import { requestRefund } from "@/lib/refunds/request-refund";
import { invite } from "@/lib/users/invitations";
import { hashPassword } from "@/lib/users/password";
import { createMerchantWithOwner } from "@/lib/users/register";
import { openSession } from "@/lib/users/session";
import { seedCallbacks } from "@/testing/callbacks/seed";
import { seedAddress, seedCursor, seedOrder, seedTransfer, TEST_APP_SECRET } from "@/testing/database/seed";
import { PLUGIN_SETTINGS } from "@/testing/integrations/seed";

const REFUND_CONTEXT = { publicUrl: "https://pay.example.com", appSecret: TEST_APP_SECRET };

/** The end time that makes a customer's hold on an address permanent. */
const REST = new Date("9999-12-31T00:00:00Z");

/** The password of all users. */
export const PASSWORD = "correct horse battery";

export type SeededShop = Awaited<ReturnType<typeof seedShop>>;

/** Creates a shop with a user of each role and one of each object that a user can act on. */
export async function seedShop(db: Db, name: string, now: Date) {
  const owner = { name, email: `owner@${name}.example.com`, password: PASSWORD };
  const { merchantId, userId } = await createMerchantWithOwner(db, owner, now);
  const address = await seedAddress(db, { merchantId, network: "ethereum" }, now);
  await seedCursor(db, "ethereum", now);
  const orderOf = async (baseUnits: bigint) => (await seedOrder(db, { address, baseUnits }, now)).id;
  const transferOf = async (change: Partial<typeof transfers.$inferInsert>, position: string) => {
    const { id } = await seedTransfer(db, { address, baseUnits: 7n, position }, now);
    await db.update(transfers).set(change).where(eq(transfers.id, id));
    return id;
  };
  const { id: partly, quoteId } = await seedOrder(db, { address, baseUnits: 9n }, now);
  const link = { orderId: partly, quoteId, isAssigned: true };
  const { id: refundable } = await seedTransfer(db, { address, baseUnits: 40_000_000n, position: "d" }, now);
  await db
    .update(transfers)
    .set({ status: "confirmed", unmatchedReason: "no_such_amount", matchedAt: now })
    .where(eq(transfers.id, refundable));
  const [failed = ""] = await seedCallbacks(
    db,
    { merchantId, url: "https://shop.example/paid", status: "failed" },
    now,
  );
  const members = await seedUsers(db, { merchantId, name, ownerId: userId }, now);
  const by = { merchantId, userId };
  await invite(db, by, { email: `friend@${name}.example.com`, role: "viewer" }, now);
  const [invitation] = await listInvitations(db, merchantId, now);
  return {
    merchantId,
    name,
    members,
    invitation: invitation?.id ?? "",
    session: (await openSession(db, members.owner, { ip: "192.0.2.1", userAgent: "curl/8" }, now)) ?? "",
    address,
    spare: await seedAddress(db, { merchantId, network: "bsc" }, now),
    orders: { open: await orderOf(5n), cancelled: await orderOf(6n), short: await orderOf(8n), partly },
    transfers: {
      unmatched: await transferOf({ status: "confirmed", unmatchedReason: "no_such_amount", matchedAt: now }, "a"),
      part: await transferOf({ status: "confirmed", matchedAt: now, ...link }, "c"),
      lost: await transferOf({ status: "confirmed", lostAt: now, matchedAt: now }, "b"),
      refundable,
    },
    links: { open: await seedLink(db, merchantId, now), closing: await seedLink(db, merchantId, now) },
    refunds: await seedRefunds(db, { merchantId, userId, transferId: refundable }, now),
    keys: await seedKeys(db, { merchantId, userId }, now),
    pluginKey: await seedPluginKey(db, by, now),
    publicKey: await seedSource(db, { merchantId, kind: "xpub" }, now),
    treasury: await seedSource(db, { merchantId, kind: "receiver" }, now),
    deposit: await seedDeposit(db, merchantId, now),
    callback: failed,
    channel: await seedChannel(db, by, now),
  };
}

/** Creates a key for each action on keys. A plugin asked to use the one that is rotated. */
async function seedKeys(db: Db, by: { merchantId: string; userId: string }, now: Date) {
  const context = { appSecret: TEST_APP_SECRET, mode: "live" as const };
  const keyOf = async (name: string) => (await createApiKey(db, context, { ...by, name, mustSign: false }, now)).id;
  const keys = { kept: await keyOf("kept"), rotated: await keyOf("rotated"), revoked: await keyOf("revoked") };
  await updateApiKey(db, { ...by, id: keys.rotated }, { pluginRequestedAt: now }, now);
  return keys;
}

/** Requests refunds of a transfer: one for each action, the claimed ones with an address. */
async function seedRefunds(db: Db, of: { merchantId: string; userId: string; transferId: string }, now: Date) {
  const { transferId, ...by } = of;
  const actor = { ...by, from: { ip: "192.0.2.1", browser: "curl" }, role: "owner" } as const;
  const request = async () => {
    const subject = { orderId: null, transferId };
    const terms = {
      subject,
      amount: { microUnits: 1_000_000n },
      reason: null,
      email: null,
      mchRefundId: null,
    } as const;
    return (await requestRefund(db, actor, { ...terms, expiresInSeconds: 86_400 }, now)).refund.id;
  };
  const claim = async (id: string) => {
    const input = { network: "ethereum", address: CUSTOMER, check: "", confirmation: CUSTOMER.slice(-4) };
    await claimRefund(db, REFUND_CONTEXT, id, input, now);
    return id;
  };
  const approve = async () => {
    const id = await claim(await request());
    await approveRefund(db, REFUND_CONTEXT, actor, id, now);
    return id;
  };
  return {
    requested: await request(),
    claimed: await claim(await request()),
    reopened: await claim(await request()),
    approved: await approve(),
    batched: await approve(),
  };
}

/** Inserts a payment link of 5 USDT. */
async function seedLink(db: Db, merchantId: string, now: Date): Promise<string> {
  const id = newId(now);
  await db.insert(paymentLinks).values({ id, merchantId, currency: "USDT", amount: "5", createdAt: now });
  return id;
}

/** An address of a customer who claims refunds. */
const CUSTOMER = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";

/** Inserts a customer's deposit address. */
async function seedDeposit(db: Db, merchantId: string, now: Date): Promise<string> {
  const own = await seedAddress(db, { merchantId, network: "bsc", kind: "dedicated" }, now);
  const id = newId(now);
  const address = { network: own.network, family: "evm" as const, receivingAddressId: own.id, address: own.address };
  await db
    .insert(depositAddresses)
    .values({ id, merchantId, customerRef: "a-customer", ...address, apiKeyId: newId(now), createdAt: now });
  await db.update(receivingAddresses).set({ availableAt: REST }).where(eq(receivingAddresses.id, own.id));
  return id;
}

/** Enables EPay and returns the id of its only key. */
async function seedPluginKey(db: Db, by: { merchantId: string; userId: string }, now: Date): Promise<string> {
  const plugin = { ...by, integration: "epay", fiat: "CNY" } as const;
  await switchOnPlugin(db, PLUGIN_SETTINGS, { ...plugin, from: { ip: "192.0.2.1", browser: "curl" } }, now);
  const [key] = await listSigningKeys(db, [plugin], now);
  return key?.id ?? "";
}

/** Inserts a user's notification channel that is not yet confirmed; its confirmation code is 123456. */
async function seedChannel(db: Db, owner: { merchantId: string; userId: string }, now: Date): Promise<string> {
  const id = newId(now);
  const target = { way: "email", shown: "ann@example.com", targetCipher: "" } as const;
  const report = { language: "en", timeZone: "UTC", reportHour: 8 };
  const codeHash = createHash("sha256").update(`${id} 123456`).digest("hex");
  const codeExpiresAt = new Date(now.getTime() + 900_000);
  await insertChannel(db, { id, ...owner, ...target, ...report, codeHash, codeExpiresAt }, now);
  return id;
}

async function seedUsers(db: Db, shop: { merchantId: string; name: string; ownerId: string }, now: Date) {
  const passwordHash = await hashPassword(PASSWORD);
  await db.update(users).set({ passwordHash }).where(eq(users.id, shop.ownerId));
  const members: Record<Role, { id: string; passwordHash: string }> = {
    owner: { id: shop.ownerId, passwordHash },
    admin: { id: newId(now), passwordHash },
    viewer: { id: newId(now), passwordHash },
  };
  for (const role of ["admin", "viewer"] as const) {
    const { id } = members[role];
    await db.insert(users).values({ id, email: `${role}@${shop.name}.example.com`, passwordHash, createdAt: now });
    await db.insert(memberships).values({ merchantId: shop.merchantId, userId: id, role, since: now });
  }
  return members;
}

/** Inserts a disabled source of addresses: an extended public key, or the treasury of receivers. */
async function seedSource(
  db: Db,
  { merchantId, kind }: { merchantId: string; kind: SourceKind },
  now: Date,
): Promise<string> {
  const id = newId(now);
  const networks = kind === "xpub" ? ["ethereum"] : [];
  const keyCipher = encrypt(TEST_APP_SECRET, `address_sources:${id}`, `0x${"7e".repeat(20)}`);
  const facts = { family: "evm", kind, keyHash: id, networks, max: 1, nextIndex: 1 } as const;
  await db.insert(addressSources).values({ ...facts, id, merchantId, keyCipher, createdAt: now });
  return id;
}
