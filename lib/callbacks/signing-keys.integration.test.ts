import { beforeEach, expect, test } from "vitest";
import { signingKeys } from "@/db/schema";
import {
  findInstallationKey,
  listPublicKeys,
  replaceSigningKeys,
  rotateSigningKey,
} from "@/lib/callbacks/signing-keys";
import { problem } from "@/lib/domain/problems/problem";
import { createLog } from "@/lib/log";
import { TEST_APP_SECRET } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
const db = () => api.pool.db;
const begin = new Date("2026-03-01T10:00:00Z");
const hour = (hours: number) => new Date(begin.getTime() + hours * 3_600_000);
const shown = async (at: Date) => (await listPublicKeys(db(), TEST_APP_SECRET, at)).keys.map(({ kid }) => kid);
const log = createLog("test", "silent");
const find = (at: Date, appSecret = TEST_APP_SECRET) => findInstallationKey(db(), { appSecret, log }, at);
const signing = async (at: Date) => (await find(at))?.id;

beforeEach(() => db().delete(signingKeys));

test("the first request creates the signing key and the next one; concurrent requests create one pair", async () => {
  const found = await Promise.all(Array.from({ length: 8 }, () => shown(hour(0))));
  expect(new Set(found.map((kids) => kids.join())).size).toBe(1);
  expect(found[0]).toHaveLength(2);
  expect(found[0]).toContain(await signing(hour(0)));
  const rows = await db().select().from(signingKeys);
  expect(JSON.stringify(await listPublicKeys(db(), TEST_APP_SECRET, hour(0)))).not.toContain('"d"');
  for (const { privateCipher } of rows) expect(privateCipher.length).toBeGreaterThan(60);
});

test("a key is shown for a day before it signs, and for a week after it did", async () => {
  const before = await shown(hour(0));
  const old = await signing(hour(0));
  expect(await rotateSigningKey(db(), TEST_APP_SECRET, hour(23))).toMatchObject({
    problem: { code: "signing_key_too_new" },
  });
  const next = before.find((kid) => kid !== old);
  expect(await rotateSigningKey(db(), TEST_APP_SECRET, hour(24))).toEqual({ current: next });
  expect(await signing(hour(24))).toBe(next);
  const after = await shown(hour(24));
  expect(after).toHaveLength(3);
  expect(after).toEqual(expect.arrayContaining(before));
  expect(await shown(hour(24 + 7 * 24))).not.toContain(old);
});

test("two concurrent operators rotate once", async () => {
  await shown(hour(0));
  const rotated = await Promise.all([1, 2].map(() => rotateSigningKey(db(), TEST_APP_SECRET, hour(24))));
  expect(rotated.filter((answer) => "current" in answer)).toHaveLength(1);
  expect(await shown(hour(24))).toHaveLength(3);
});

test("rotating with another APP_SECRET changes nothing, and the message has the remedy", async () => {
  const before = await shown(hour(0));
  const answer = await rotateSigningKey(db(), "quite another secret of an installation", hour(24));
  expect(answer).toEqual({ problem: problem("signing_key_unreadable") });
  expect(await shown(hour(24))).toEqual(before);
});

test("where APP_SECRET has become another, nothing is signed by public key until all are replaced", async () => {
  const before = await shown(hour(0));
  const other = "quite another secret of an installation";
  expect(await find(hour(0), other)).toBeNull();
  const { current } = await replaceSigningKeys(db(), other, hour(1));
  expect((await find(hour(1), other))?.id).toBe(current);
  expect((await shown(hour(1))).filter((kid) => before.includes(kid))).toEqual([]);
});

test("200: the public keys are available as a JWKS, cacheable for an hour", async () => {
  const response = await fetch(`${api.origin}/api/v1/pay/public/webhook-jwks`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(response.headers.get("cache-control")).toBe("public, max-age=3600");
  const { keys } = await response.json();
  expect(keys).toHaveLength(2);
  for (const key of keys) {
    expect(Object.keys(key).toSorted()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
    expect(key).toMatchObject({ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig" });
    expect(Buffer.from(key.x, "base64url")).toHaveLength(32);
  }
});
