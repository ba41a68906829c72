import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { orders } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { createLog } from "@/lib/log";
import { addressVerifier } from "@/lib/merchants/vault";
import { createOrder, insertTogether } from "@/lib/orders/create-order";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";

const testDb = useTestDb();
const network = getNetwork("bsc");
const token = getToken(network, "USDT");
const none = { notifyUrl: null, redirectUrl: null, locale: null, expiresInSeconds: null };
let merchant: Awaited<ReturnType<typeof seedMerchant>>;
let create: (mchOrderId: string, amountUnits?: bigint) => ReturnType<typeof createOrder>;

beforeEach(async () => {
  const { db } = testDb.pool;
  merchant = await seedMerchant(db, new Date());
  await seedAddress(db, { merchantId: merchant.id, network: "bsc" }, new Date());
  const isVerifiedAddress = addressVerifier(TEST_APP_SECRET);
  const ctx = { log: createLog("test", "fatal"), isVerifiedAddress, insertOrder: insertTogether(db) };
  const caller = { merchantId: merchant.id, apiKeyId: merchant.keyId };
  create = (mchOrderId, amountUnits = 10n ** 18n) =>
    createOrder(db, ctx, caller, { mchOrderId, network, token, amountUnits, ...none }, new Date());
});

afterEach(() =>
  testDb.owner.db.execute(sql`drop trigger if exists poison on orders; drop function if exists poison_order`),
);

/** Makes every statement that would store this order fail as a whole. */
async function poison(mchOrderId: string) {
  await testDb.owner.db.execute(
    sql.raw(`create function poison_order() returns trigger language plpgsql as $$
      begin if new.mch_order_id = '${mchOrderId}' then raise division_by_zero; end if; return new; end $$;
      create trigger poison before insert on orders for each row execute function poison_order()`),
  );
}

test("where the database refuses one of many orders, the others are made and each gets its own answer", async () => {
  await poison("order-7");
  const names = Array.from({ length: 20 }, (_, index) => `order-${index}`);
  const answers = await Promise.allSettled(names.map((name, index) => create(name, BigInt(index + 1) * 10n ** 18n)));
  answers.forEach((answer, index) => {
    expect(answer.status).toBe(index === 7 ? "rejected" : "fulfilled");
    if (answer.status !== "fulfilled") return;
    const { order, isReplayed } = answer.value;
    expect(order).toMatchObject({ mchOrderId: names[index], amountUnits: BigInt(index + 1) * 10n ** 18n });
    expect(order.quote.baseUnits).toBe(order.amountUnits);
    expect(isReplayed).toBe(false);
  });
  expect(await testDb.pool.db.$count(orders, sql`merchant_id = ${merchant.id}`)).toBe(19);
});

test("equal concurrent requests create one order, and one response marks it as new", async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => create("same")));
  expect(new Set(answers.map(({ order }) => order.id)).size).toBe(1);
  expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
});

test("one of many under a number that has other terms is refused alone", async () => {
  await create("used");
  const answers = await Promise.allSettled([create("a"), create("used", 5n * 10n ** 18n), create("b")]);
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(answers[1]).toMatchObject({ reason: { code: 10004 } });
});
