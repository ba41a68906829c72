import { beforeAll, expect, test } from "vitest";
import { listApiKeys } from "@/db/queries/merchants/api-keys";
import { apiKeys, auditEvents } from "@/db/schema";
import { hashApiKey, isApiKey } from "@/lib/domain/keys/api-key";
import { DEFAULT_RULES } from "@/lib/domain/keys/key-rules";
import {
  changeKeyRules,
  chooseEvents,
  createApiKey,
  makeKeyDefault,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
} from "@/lib/merchants/api-keys";
import { open } from "@/lib/merchants/vault";
import { createMerchantWithOwner } from "@/lib/users/register";
import { useTestDb } from "@/testing/database/clone";

const now = new Date("2026-03-01T10:00:00Z");
const hoursLater = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const context = { appSecret: "a secret of at least 32 characters", mode: "live" as const };
const database = useTestDb();

let shop: { merchantId: string; userId: string };
let stranger: { merchantId: string; userId: string };
beforeAll(async () => {
  const owner = { name: "Tea House", email: "owner@example.com", password: "correct horse battery" };
  shop = await createMerchantWithOwner(database.pool.db, owner, now);
  stranger = await createMerchantWithOwner(database.pool.db, { ...owner, email: "other@example.com" }, now);
});

const newKey = () => createApiKey(database.pool.db, context, { ...shop, name: "Web shop", mustSign: true }, now);
const rows = () => database.pool.db.select().from(apiKeys);

test("a key's hash and its secret are encrypted, and only open in its own row", async () => {
  const key = await newKey();
  expect(isApiKey(key.apiKey)).toBe(true);
  expect(key.apiKey).toMatch(/^sg_live_/);
  const row = (await rows()).find(({ id }) => id === key.id);
  if (!row) throw new Error("The key was not stored");
  expect(row).toMatchObject({ keyHash: null, prefix: key.apiKey.slice(0, 14), mustSign: true });
  expect(JSON.stringify(row)).not.toContain(key.apiKey);
  expect(JSON.stringify(row)).not.toContain(hashApiKey(key.apiKey));
  expect(open(context.appSecret, `api_key_hashes:${key.id}`, row.hashCipher ?? "")).toBe(hashApiKey(key.apiKey));
  expect(open(context.appSecret, `api_keys:${key.id}`, row.secretCipher)).toBe(key.secret);
  expect(() => open(context.appSecret, "api_keys:another", row.secretCipher)).toThrow();
});

test("a revoked key is invalid at once and permanently", async () => {
  const key = await newKey();
  expect(await revokeApiKey(database.pool.db, { ...shop, id: key.id }, now)).toBe(true);
  expect((await rows()).find(({ id }) => id === key.id)?.endsAt).toEqual(now);
  expect(await revokeApiKey(database.pool.db, { ...shop, id: key.id }, hoursLater(1))).toBe(false);
  expect(await renameApiKey(database.pool.db, { ...shop, id: key.id, name: "New" }, now)).toBe(false);
  expect(await rotateApiKey(database.pool.db, context, { ...shop, id: key.id, overlapHours: 1 }, now)).toBeNull();
});

test("after a rotation both keys work for the overlap, and only one successor is issued", async () => {
  const key = await newKey();
  const rotate = () => rotateApiKey(database.pool.db, context, { ...shop, id: key.id, overlapHours: 24 }, now);
  const issued = (await Promise.all([rotate(), rotate()])).filter((answer) => answer !== null);
  expect(issued).toHaveLength(1);
  const old = (await rows()).find(({ id }) => id === key.id);
  expect(old).toMatchObject({ endsAt: hoursLater(24), rotatedToId: issued[0]?.id });
  const successor = (await rows()).find(({ id }) => id === issued[0]?.id);
  expect(successor).toMatchObject({ name: "Web shop", mustSign: true, endsAt: null });
  expect(await revokeApiKey(database.pool.db, { ...shop, id: key.id }, hoursLater(1))).toBe(true);
});

test("a key that was replaced is listed as live until its overlap ends", async () => {
  const key = await newKey();
  await rotateApiKey(database.pool.db, context, { ...shop, id: key.id, overlapHours: 1 }, now);
  const isLive = async (at: Date) =>
    (await listApiKeys(database.pool.db, shop.merchantId, at)).find(({ id }) => id === key.id)?.isLive;
  expect(await isLive(now)).toBe(true);
  expect(await isLive(hoursLater(1))).toBe(false);
});

test("a successor has the rules of the key that it replaces, and is the default where that was", async () => {
  const rules = {
    mustSign: false,
    scopes: ["orders:read"],
    cidrs: ["10.0.0.0/8"],
    callbackFormat: "plugin-v1",
    isForPlugin: true,
    isForAgents: true,
  } as const;
  const key = await newKey();
  expect(await changeKeyRules(database.pool.db, { ...shop, id: key.id, ...rules }, now)).toBe(true);
  expect(await makeKeyDefault(database.pool.db, { ...shop, id: key.id }, now)).toBe(true);
  const issued = await rotateApiKey(database.pool.db, context, { ...shop, id: key.id, overlapHours: 1 }, now);
  const all = await rows();
  expect(all.find(({ id }) => id === issued?.id)).toMatchObject({ ...rules, firstId: key.id, isDefault: true });
  expect(all.find(({ id }) => id === key.id)).toMatchObject({ ...rules, firstId: null, isDefault: false });
});

test("a format is one for a key and those that replaced it; one key of a merchant at a time is the default", async () => {
  const key = await newKey();
  const other = await newKey();
  const issued = await rotateApiKey(database.pool.db, context, { ...shop, id: key.id, overlapHours: 1 }, now);
  const rules = { ...DEFAULT_RULES, callbackFormat: "plugin-v1" } as const;
  await changeKeyRules(database.pool.db, { ...shop, id: key.id, ...rules }, now);
  const formatOf = async (id = "") => (await rows()).find((row) => row.id === id)?.callbackFormat;
  expect([await formatOf(key.id), await formatOf(issued?.id), await formatOf(other.id)]).toEqual([
    "plugin-v1",
    "plugin-v1",
    "standard",
  ]);
  const makeDefault = (id: string) => makeKeyDefault(database.pool.db, { ...shop, id }, now);
  expect(await Promise.all([key, other].map(({ id }) => makeDefault(id)))).toEqual([true, true]);
  expect((await rows()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
  await revokeApiKey(database.pool.db, { ...shop, id: other.id }, now);
  expect(await makeDefault(other.id)).toBe(false);
  expect(await changeKeyRules(database.pool.db, { ...shop, id: other.id, ...rules }, now)).toBe(false);
});

test("the list marks the default key: the oldest active one, or its successor, unless a user selected one", async () => {
  const owner = { name: "Third", email: "third@example.com", password: "correct horse battery" };
  const third = await createMerchantWithOwner(database.pool.db, owner, now);
  const create = (hours: number) => createApiKey(database.pool.db, context, { ...third, name: "k" }, hoursLater(hours));
  const defaults = async (hours: number) =>
    (await listApiKeys(database.pool.db, third.merchantId, hoursLater(hours)))
      .filter(({ isDefault }) => isDefault)
      .map(({ id }) => id);
  const oldest = await create(0);
  const newer = await create(1);
  expect(await defaults(2)).toEqual([oldest.id]);
  const successor = await rotateApiKey(
    database.pool.db,
    context,
    { ...third, id: oldest.id, overlapHours: 1 },
    hoursLater(2),
  );
  expect(await defaults(2)).toEqual([successor?.id]);
  await makeKeyDefault(database.pool.db, { ...third, id: newer.id }, hoursLater(3));
  expect(await defaults(3)).toEqual([newer.id]);
});

test.each([169, -1, Number.NaN])(
  "an overlap is from none to seven days: %s hours are refused",
  async (overlapHours) => {
    const key = await newKey();
    const rotation = rotateApiKey(database.pool.db, context, { ...shop, id: key.id, overlapHours }, now);
    await expect(rotation).rejects.toThrow(RangeError);
  },
);

test("a key subscribes to known events only", async () => {
  const key = await newKey();
  const types = ["order.expired", "payment.confirmed", "order.dreamt", "payment.detected"];
  expect(await chooseEvents(database.pool.db, { ...shop, id: key.id, types }, now)).toBe(true);
  expect((await rows()).find(({ id }) => id === key.id)?.optIns).toEqual(["payment.detected", "order.expired"]);
});

test("a merchant can neither see nor change another's keys", async () => {
  const key = await newKey();
  const theirs = { ...stranger, id: key.id };
  expect(await listApiKeys(database.pool.db, stranger.merchantId, now)).toEqual([]);
  expect(await revokeApiKey(database.pool.db, theirs, now)).toBe(false);
  expect(await rotateApiKey(database.pool.db, context, { ...theirs, overlapHours: 0 }, now)).toBeNull();
  expect(await changeKeyRules(database.pool.db, { ...theirs, ...DEFAULT_RULES }, now)).toBe(false);
  expect(await makeKeyDefault(database.pool.db, theirs, now)).toBe(false);
});

test("every change of a key is on record, without key or secret", async () => {
  const key = await newKey();
  await renameApiKey(database.pool.db, { ...shop, id: key.id, name: " Till " }, now);
  await revokeApiKey(database.pool.db, { ...shop, id: key.id }, now);
  const events = (await database.pool.db.select().from(auditEvents)).filter(
    (event) => event.detail["apiKeyId"] === key.id,
  );
  expect(events.map((event) => event.action).sort()).toEqual(["api_key.created", "api_key.renamed", "api_key.revoked"]);
  expect(JSON.stringify(events)).not.toMatch(/whsec_|sg_live_/);
});
