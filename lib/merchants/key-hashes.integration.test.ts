import { createHmac } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import pino from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { type DbPool, openDb, webName } from "@/db/client";
import { listKeysOfLine } from "@/db/queries/callbacks/callback-keys";
import { apiKeys } from "@/db/schema";
import { signBy } from "@/lib/callbacks/sign-callback";
import { hashApiKey } from "@/lib/domain/keys/api-key";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { createKeyRing } from "@/lib/http/authenticate";
import { createApiKey } from "@/lib/merchants/api-keys";
import { createHashRemover, encryptKeyHashes } from "@/lib/merchants/key-hashes";
import { rotateAppSecret } from "@/lib/merchants/rotate-app-secret";
import { signingContext } from "@/testing/callbacks/seed";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedMerchant, seedPerson, TEST_APP_SECRET } from "@/testing/database/seed";

const now = new Date("2026-03-01T10:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const log = pino({ level: "silent" });
const NEW = "the secret of this installation from now on";
const database = useTestDb();
const db = () => database.pool.db;

let shop: Awaited<ReturnType<typeof seedMerchant>>;
beforeEach(async () => {
  await empty(db(), "merchants", "users");
  shop = await seedMerchant(db(), now);
});

/** Stores a key as an earlier version does. */
async function storeAsBefore({ keyId, apiKey }: { keyId: string; apiKey: string }): Promise<void> {
  await db()
    .update(apiKeys)
    .set({ lookupMac: null, hashCipher: null, keyHash: hashApiKey(apiKey) })
    .where(eq(apiKeys.id, keyId));
}

async function rowOf(id: string) {
  const [row] = await db().select().from(apiKeys).where(eq(apiKeys.id, id));
  if (!row) throw new Error(`There is no key ${id}`);
  return row;
}

async function authenticates(apiKey: string, appSecret: AppSecret = TEST_APP_SECRET): Promise<string | null> {
  return (await createKeyRing(db(), { appSecret, log }).find(apiKey, now))?.id ?? null;
}

const BODY = '{"order_no":"A-1"}';

/** Returns the headers of a callback that the merchant's key signs. */
async function signed(appSecret: AppSecret = TEST_APP_SECRET): Promise<Record<string, string>> {
  const keys = await listKeysOfLine(db(), { merchantId: shop.id, id: shop.keyId }, now);
  const attempt = { id: "evt_1", body: BODY, merchantId: shop.id, attemptsBefore: 0 };
  const signed = signBy({ ...signingContext, appSecret }, keys, null, attempt, now);
  if ("problem" in signed) throw new Error(inEnglish(signed.problem));
  return signed.headers;
}

const signedText = (headers: Record<string, string>) => `${headers["X-Timestamp"]}\n${headers["X-Nonce"]}\n${BODY}`;
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest("hex");

/** Returns every string in every column of every table, including strings inside JSON values. */
async function allTexts(): Promise<string[]> {
  const tables = await db().execute<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
  );
  const texts = new Set<string>();
  for (const { name } of tables) {
    const rows = await db().execute<{ row: string }>(
      sql`select to_jsonb(t)::text as row from ${sql.identifier(name)} t`,
    );
    for (const { row } of rows) {
      JSON.parse(row, (_key, value) => {
        if (typeof value === "string") texts.add(value);
        return value;
      });
    }
  }
  return [...texts];
}

test("a reader of the whole database cannot sign a plugin v1 callback", async () => {
  const userId = await seedPerson(db(), { merchantId: shop.id }, now);
  const context = { appSecret: TEST_APP_SECRET, mode: "live" } as const;
  const issued = await createApiKey(db(), context, { merchantId: shop.id, userId, name: "Shop" }, now);
  shop = { ...shop, keyId: issued.id, apiKey: issued.apiKey };
  const headers = await signed();
  const text = signedText(headers);
  expect(headers["X-Signature"]).toBe(hmac(hashApiKey(issued.apiKey), text));

  const texts = await allTexts();
  expect(texts).toContain(issued.id);
  const guesses = texts.flatMap((one) => [
    one,
    ...(["hex", "base64"] as const).flatMap((form) => [Buffer.from(one, form), Buffer.from(one, form).toString("hex")]),
  ]);
  expect(guesses.filter((key) => hmac(key, text) === headers["X-Signature"])).toEqual([]);
  expect(texts.filter((one) => one.includes(hashApiKey(issued.apiKey)))).toEqual([]);
});

test("an encrypted hash and an HMAC fit no other row and no other secret", async () => {
  const other = await seedMerchant(db(), now);
  const { hashCipher } = await rowOf(other.keyId);
  await db().update(apiKeys).set({ hashCipher }).where(eq(apiKeys.id, shop.keyId));
  await expect(signed()).rejects.toThrow(/cannot be/);
  expect(await authenticates(shop.apiKey, NEW)).toBeNull();
});

describe("keys of an earlier version", () => {
  test("authenticate and sign as before, before and after their hash is encrypted and removed", async () => {
    await storeAsBefore(shop);
    const check = async () => {
      expect(await authenticates(shop.apiKey)).toBe(shop.keyId);
      const headers = await signed();
      expect(headers["X-Signature"]).toBe(hmac(hashApiKey(shop.apiKey), signedText(headers)));
    };
    await check();
    expect(await encryptKeyHashes(db(), TEST_APP_SECRET)).toBe(1);
    expect(await encryptKeyHashes(db(), TEST_APP_SECRET)).toBe(0);
    await check();
    const round = createHashRemover(db(), { appSecret: TEST_APP_SECRET, log });
    await round(now);
    expect((await rowOf(shop.keyId)).keyHash).toBe(hashApiKey(shop.apiKey));
    await round(later(60));
    expect((await rowOf(shop.keyId)).keyHash).toBeNull();
    await check();
  });

  test("are encrypted by the next run wherever one is interrupted", async () => {
    const shops = [shop, ...(await Promise.all([1, 2, 3, 4].map(() => seedMerchant(db(), now))))];
    for (const one of shops) await storeAsBefore(one);
    const isEncrypted = async () =>
      (await db().select().from(apiKeys)).filter(({ hashCipher }) => hashCipher !== null).length;
    for (let deaths = 1; (await isEncrypted()) < shops.length; deaths++) {
      expect(deaths).toBeLessThan(20);
      await encryptKeyHashes(diesAt(database.pool, deaths + 1), TEST_APP_SECRET, 2).catch((error: Error) =>
        expect(error.message).toBe("killed"),
      );
      for (const one of shops) expect(await authenticates(one.apiKey)).toBe(one.keyId);
    }
    for (const one of shops) expect((await rowOf(one.keyId)).keyHash).toBe(hashApiKey(one.apiKey));
  });

  test("keep their hash while a process of that version is connected, as do new keys, and lose it an hour later", async () => {
    await storeAsBefore(shop);
    const round = createHashRemover(db(), { appSecret: TEST_APP_SECRET, log });
    for (const name of ["stablegate-api", "stablegate-listener", "stablegate-worker 0a1b2c3d"]) {
      const former = openDb(database.url, { work: "none", max: 1, applicationName: name });
      await former.sql`select 1`;
      await round(later(0));
      await round(later(100));
      expect((await rowOf(shop.keyId)).keyHash, name).toBe(hashApiKey(shop.apiKey));
      const userId = await seedPerson(db(), { merchantId: shop.id }, now);
      const context = { appSecret: TEST_APP_SECRET, mode: "live" } as const;
      const issued = await createApiKey(db(), context, { merchantId: shop.id, userId, name: "Shop" }, now);
      expect((await rowOf(issued.id)).keyHash, name).toBe(hashApiKey(issued.apiKey));
      await former.close();
      await expect.poll(() => sessions(name)).toBe(0);
    }
    await round(later(100));
    await round(later(159));
    expect((await rowOf(shop.keyId)).keyHash).not.toBeNull();
    await round(later(160));
    expect((await db().select().from(apiKeys)).filter(({ keyHash }) => keyHash !== null)).toEqual([]);
  });

  test("do not keep their hash for processes of this version", async () => {
    await storeAsBefore(shop);
    const current = openDb(database.url, { work: "none", max: 1, applicationName: webName("api") });
    await current.sql`select 1`;
    const round = createHashRemover(db(), { appSecret: TEST_APP_SECRET, log });
    await round(now);
    await round(later(60));
    expect((await rowOf(shop.keyId)).keyHash).toBeNull();
    await current.close();
  });

  test("whose encrypted hash is wrong are re-encrypted instead of losing the remaining one", async () => {
    await storeAsBefore(shop);
    await encryptKeyHashes(db(), "a secret that was lost since then, of some length");
    const round = createHashRemover(db(), { appSecret: TEST_APP_SECRET, log });
    await round(now);
    await round(later(60));
    expect((await rowOf(shop.keyId)).keyHash).toBeNull();
    expect(await authenticates(shop.apiKey)).toBe(shop.keyId);
    await signed();
  });
});

test("while APP_SECRET changes either secret finds a key and signs, afterwards the new one alone", async () => {
  const rotating: AppSecret = { primary: NEW, secondary: TEST_APP_SECRET };
  const before: AppSecret = { primary: TEST_APP_SECRET, secondary: NEW };
  const second = await seedMerchant(db(), now);
  const bothFind = async () => {
    for (const secret of [rotating, before])
      for (const one of [shop, second]) {
        expect(await authenticates(one.apiKey, secret)).toBe(one.keyId);
        const headers = await signed(secret);
        expect(headers["X-Signature"]).toBe(hmac(hashApiKey(shop.apiKey), signedText(headers)));
      }
  };
  await bothFind();
  const kill = () => {
    throw new Error("killed");
  };
  const onBatch = (table: string, values: number) => (table === "api_key_hashes" && values > 0 ? kill() : undefined);
  await expect(rotateAppSecret(db(), rotating, { concurrency: 1, onBatch })).rejects.toThrow("killed");
  await bothFind();
  await rotateAppSecret(db(), rotating);
  await bothFind();
  expect(await authenticates(shop.apiKey, NEW)).toBe(shop.keyId);
  expect(await authenticates(shop.apiKey, TEST_APP_SECRET)).toBeNull();
});

async function sessions(name: string): Promise<number> {
  const rows = await db().execute(sql`select from pg_stat_activity where application_name = ${name}`);
  return rows.length;
}

/** Returns a database whose connection is lost at its n-th statement. */
function diesAt({ db: whole }: DbPool, statement: number): DbPool["db"] {
  let count = 0;
  return new Proxy(whole, {
    get(target, name) {
      if (name !== "execute") return Reflect.get(target, name);
      return async (query: Parameters<typeof target.execute>[0]) => {
        count += 1;
        if (count >= statement) throw new Error("killed");
        return target.execute(query);
      };
    },
  });
}
