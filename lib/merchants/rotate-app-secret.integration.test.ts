import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import {
  addressSources,
  apiKeys,
  notificationChannels,
  pluginKeys,
  pluginWebhooks,
  receivingAddresses,
  refundRequests,
  signingKeys,
  users,
} from "@/db/schema";
import { listPublicKeys, rotateSigningKey } from "@/lib/callbacks/signing-keys";
import { newId } from "@/lib/domain/id";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { encryptClaim, isClaimUnchanged } from "@/lib/merchants/refund-claims";
import { rotateAppSecret } from "@/lib/merchants/rotate-app-secret";
import { addressVerifier, encrypt, open } from "@/lib/merchants/vault";
import { openTarget } from "@/lib/notifications/notification-sender";
import { readUnsubscribeToken, unsubscribeUrl } from "@/lib/notifications/unsubscribe";
import { totpRow } from "@/lib/users/check-code";
import { seedAddress, seedMerchant, seedPerson, TEST_APP_SECRET, tamperAddress } from "@/testing/database/seed";
import { seedPlugin } from "@/testing/integrations/seed";
import { useTestApi } from "@/testing/web";

const OLD = TEST_APP_SECRET;
const NEW = "the secret of this installation from now on";
/** The secrets of processes that run during the rotation: they still encrypt under the old one. */
const BOTH: AppSecret = { primary: OLD, secondary: NEW };
const ROTATING: AppSecret = { primary: NEW, secondary: OLD };
const TABLES = [
  "api_keys",
  "api_key_hashes",
  "users",
  "signing_keys",
  "notification_channels",
  "plugin_keys",
  "plugin_webhooks",
  "address_sources",
  "refund_requests",
  "receiving_addresses",
];

const api = useTestApi({ appSecret: BOTH });
const db = () => api.pool.db;
const now = new Date("2026-03-01T10:00:00Z");
let shop: Awaited<ReturnType<typeof seedMerchant>>;
let personId: string;
let channelId: string;

beforeEach(async () => {
  shop = await seedMerchant(db(), now);
  personId = await seedPerson(db(), { merchantId: shop.id }, now);
  await db()
    .update(users)
    .set({ totpEncrypted: encrypt(OLD, totpRow(personId), "JBSWY3DP") })
    .where(eq(users.id, personId));
  channelId = newId(now);
  const targetCipher = encrypt(
    OLD,
    `notification_channels:${channelId}`,
    JSON.stringify({ way: "email", email: "a@example.com" }),
  );
  const channel = {
    id: channelId,
    merchantId: shop.id,
    userId: personId,
    way: "email",
    shown: "a@…",
    language: "en",
  } as const;
  await db()
    .insert(notificationChannels)
    .values({ ...channel, timeZone: "UTC", reportHour: 8, targetCipher, createdAt: now });
  const plugin = await seedPlugin(db(), { merchantId: shop.id, integration: "epay" }, now);
  const { merchantId, integration } = plugin;
  const secretCipher = encrypt(OLD, `plugin_webhooks:${channelId}`, "hook");
  const hook = { id: channelId, merchantId, integration, url: "https://shop.example.com/hook", secretCipher };
  await db()
    .insert(pluginWebhooks)
    .values({ ...hook, createdAt: now, changedAt: now });
  const source = { id: channelId, merchantId, family: "evm", keyHash: "", networks: ["ethereum"], max: 1 } as const;
  const keyCipher = encrypt(OLD, `address_sources:${channelId}`, "xpub");
  await db()
    .insert(addressSources)
    .values({ ...source, networks: [...source.networks], keyCipher, createdAt: now });
  await listPublicKeys(db(), OLD, now);
  await seedClaim();
  for (let count = 0; count < 5; count++) await seedAddress(db(), { merchantId: shop.id, network: "ethereum" }, now);
});

const claim = () => {
  const { id: merchantId } = shop;
  return {
    id: channelId,
    merchantId,
    network: "ethereum",
    address: `0x${"11".repeat(20)}`,
    currency: "USDT" as const,
    microUnits: 5n,
  };
};

async function seedClaim(): Promise<void> {
  const claimCipher = encryptClaim(OLD, claim());
  const refund = {
    orderId: newId(now),
    status: "claimed",
    expiresAt: now,
    createdAt: now,
    changedAt: now,
    claimedAt: now,
  } as const;
  await db()
    .insert(refundRequests)
    .values({ ...claim(), ...refund, family: "evm", integration: "api", claimCipher });
}

/** Returns everything that the rows of this shop contain, decrypted with a secret. Throws if a value cannot be decrypted. */
async function everything(secret: AppSecret) {
  const [key] = await db().select().from(apiKeys).where(eq(apiKeys.id, shop.keyId));
  const [person] = await db().select().from(users).where(eq(users.id, personId));
  const [channel] = await db().select().from(notificationChannels).where(eq(notificationChannels.id, channelId));
  const keys = await db().select().from(signingKeys);
  const [plugin] = await db().select().from(pluginKeys).where(eq(pluginKeys.merchantId, shop.id));
  const [hook] = await db().select().from(pluginWebhooks).where(eq(pluginWebhooks.merchantId, shop.id));
  const [source] = await db().select().from(addressSources).where(eq(addressSources.merchantId, shop.id));
  const [refund] = await db().select().from(refundRequests).where(eq(refundRequests.merchantId, shop.id));
  if (!isClaimUnchanged(secret, { ...claim(), claimCipher: refund?.claimCipher ?? null }))
    throw new Error("The claim cannot be verified");
  const isVerified = addressVerifier(secret);
  const addresses = await db().select().from(receivingAddresses).where(eq(receivingAddresses.merchantId, shop.id));
  return {
    secret: open(secret, `api_keys:${shop.keyId}`, key?.secretCipher ?? ""),
    hash: open(secret, `api_key_hashes:${shop.keyId}`, key?.hashCipher ?? ""),
    totp: open(secret, totpRow(personId), person?.totpEncrypted ?? ""),
    target: openTarget(secret, { id: channelId, targetCipher: channel?.targetCipher ?? "" }),
    plugin: open(secret, `plugin_keys:${plugin?.id}`, plugin?.keyCipher ?? ""),
    hook: open(secret, `plugin_webhooks:${channelId}`, hook?.secretCipher ?? ""),
    xpub: open(secret, `address_sources:${channelId}`, source?.keyCipher ?? ""),
    keys: keys.map(({ id, privateCipher }) => open(secret, `signing_keys:${id}`, privateCipher)),
    verified: addresses.filter(isVerified).length,
  };
}

async function order(number: number) {
  const body = { mch_order_id: `R-${number}`, amount: "10", currency: "USDT", network: "ethereum" };
  return api.post("/order/add", body, { "x-api-key": shop.apiKey });
}

test("everything is encrypted with the new secret only, and a second run finds nothing to do", async () => {
  const before = await everything(OLD);
  const done = await rotateAppSecret(db(), ROTATING, { concurrency: 2 });
  expect(done.map(({ table }) => table)).toEqual(TABLES);
  for (const one of done) {
    expect(one).toMatchObject({ renewed: one.values, foreign: [], foreignCount: 0 });
    expect(one.values, one.table).toBeGreaterThan(0);
  }
  expect(await everything(NEW)).toEqual(before);
  await expect(everything(OLD)).rejects.toThrow();
  const again = await rotateAppSecret(db(), ROTATING, { concurrency: 2 });
  expect(again.map(({ renewed }) => renewed)).toEqual(TABLES.map(() => 0));
});

test("wherever a run dies, processes that know both secrets open all, take orders, and the next run ends the work", async () => {
  const before = await everything(BOTH);
  let batches = 0;
  let isDone = false;
  for (let deaths = 0; !isDone; deaths++) {
    expect(deaths).toBeLessThan(200);
    batches = 0;
    const dies = () => {
      batches++;
      if (batches > deaths) throw new Error("killed");
    };
    isDone = await rotateAppSecret(db(), ROTATING, { concurrency: 3, onBatch: dies }).then(
      () => true,
      (error: Error) => {
        expect(error.message).toBe("killed");
        return false;
      },
    );
    expect(await everything(BOTH)).toEqual(before);
    if (deaths % 3 === 0) expect((await order(deaths)).status).toBe(200);
  }
  expect(batches).toBeGreaterThan(5);
  expect(await everything(NEW)).toEqual(before);
});

test("values that an old process encrypts meanwhile are found by the next run", async () => {
  await rotateAppSecret(db(), ROTATING);
  const cipher = encrypt(OLD, `api_keys:${shop.keyId}`, "whsec_later");
  await db().update(apiKeys).set({ secretCipher: cipher }).where(eq(apiKeys.id, shop.keyId));
  const done = await rotateAppSecret(db(), ROTATING);
  expect(done.find(({ table }) => table === "api_keys")?.renewed).toBe(1);
  expect((await everything(NEW)).secret).toBe("whsec_later");
});

test("an address that was changed in the database gets no new mark, a foreign secret stays, and both are named", async () => {
  const other = await seedAddress(db(), { merchantId: shop.id, network: "bsc" }, now);
  await tamperAddress(db(), other.id, `0x${"ab".repeat(20)}`);
  const cipher = encrypt("an unknown secret of an installation", `api_keys:${shop.keyId}`, "whsec_x");
  await db().update(apiKeys).set({ secretCipher: cipher }).where(eq(apiKeys.id, shop.keyId));
  const macOf = async () => (await db().execute(sql`select mac from receiving_addresses where id = ${other.id}`))[0];
  const before = await macOf();
  const done = await rotateAppSecret(db(), ROTATING);
  expect(done.filter(({ foreignCount }) => foreignCount > 0)).toEqual([
    expect.objectContaining({ table: "api_keys", foreign: [shop.keyId] }),
    expect.objectContaining({ table: "receiving_addresses", foreign: [other.id] }),
  ]);
  expect(await macOf()).toEqual(before);
  await db().delete(receivingAddresses).where(eq(receivingAddresses.id, other.id));
  await db().delete(apiKeys).where(eq(apiKeys.id, shop.keyId));
});

test("while there are two secrets, links and signing keys of both hold", async () => {
  const choice = { merchantId: shop.id, channelId, kind: "orderPaid" } as const;
  for (const secret of [OLD, NEW]) {
    const token = unsubscribeUrl({ appSecret: secret, publicUrl: "https://pay.example.com" }, choice).split("/").at(-1);
    expect(readUnsubscribeToken(ROTATING, token ?? "")).toEqual(choice);
    expect(readUnsubscribeToken("a third secret that is not set here", token ?? "")).toBeNull();
  }
  const dayLater = new Date(now.getTime() + 25 * 3_600_000);
  expect(await rotateSigningKey(db(), BOTH, dayLater)).toHaveProperty("current");
});
