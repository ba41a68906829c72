import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findLinkOfOrder, listFormOrders, listLinkRows, listLinkSums } from "@/db/queries/links/links";
import { apiKeys, auditEvents, merchants, orders, paymentLinks } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { LINK_STATUSES, linkStatus } from "@/lib/domain/links/link";
import { closeLink, createLink, type LinkRequest } from "@/lib/links/create-link";
import { findLinkPage } from "@/lib/links/find-link-page";
import { type LinkPayment, startPayment } from "@/lib/links/start-payment";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedCursor, seedMerchant, seedPerson } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const start = new Date("2026-11-21T12:00:00Z");
const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const ctx = {
  env: {
    rpcUrls: new Map([
      ["ethereum", []],
      ["bsc", []],
    ]),
  },
  log: { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} } as never,
  isVerifiedAddress: () => true,
};
const TERMS: LinkRequest = {
  network: null,
  currency: "USDT",
  fiat: null,
  amount: "10",
  minAmount: null,
  maxAmount: null,
  subject: "Tea",
  noteLabel: null,
  notifyUrl: null,
  redirectUrl: null,
  maxUses: null,
  mchLinkId: null,
  expires: { seconds: 604_800 },
};
let merchant: Awaited<ReturnType<typeof seedMerchant>>;

beforeAll(async () => {
  merchant = await seedMerchant(db(), start);
  for (const network of ["ethereum", "bsc"] as const) {
    await seedAddress(db(), { merchantId: merchant.id, network }, start);
    await seedCursor(db(), network, at(60));
  }
});
beforeEach(() => empty(db(), "rate_limits"));

const caller = () => ({ merchantId: merchant.id, apiKeyId: merchant.keyId });
const create = async (change: Partial<LinkRequest> = {}, now = start) =>
  (await createLink(db(), ctx, caller(), { ...TERMS, ...change }, now)).link;
const submit = (linkId: string, change: Partial<LinkPayment> = {}, now = start) =>
  startPayment(db(), ctx, { linkId, formKey: newId(start), amount: "", note: "", from: null, ...change }, now);
const idOf = (started: Awaited<ReturnType<typeof startPayment>>): string => {
  if (started === null || started === "over" || !("orderId" in started)) throw new Error(JSON.stringify(started));
  return started.orderId;
};
const readOrder = async (id: string) => (await db().select().from(orders).where(eq(orders.id, id)))[0];
const setStatus = (id: string, change: Partial<typeof orders.$inferInsert>) =>
  db().update(orders).set(change).where(eq(orders.id, id));

describe("a payment link", () => {
  test("creates an order with its terms, the payer's note and the usual time to pay", async () => {
    const link = await create({ noteLabel: "Your name", notifyUrl: "https://shop.example/paid" });
    const id = idOf(await submit(link.id, { note: " Ada " }));
    expect(await readOrder(id)).toMatchObject({
      status: "pending",
      subject: "Tea",
      apiKeyId: merchant.keyId,
      notifyUrl: "https://shop.example/paid",
      checkout: { network: null, currency: "USDT", amount: "10", price: null },
      metadata: JSON.stringify({ payment_link: link.id, note: "Ada" }),
      expiresAt: at(30),
      quoteId: null,
    });
    expect(await findLinkOfOrder(db(), merchant.id, id)).toMatchObject({ id: link.id, note: "Ada" });
    expect(await findLinkOfOrder(db(), newId(start), id)).toBeNull();
  });

  test("with a network and a currency creates an order that can be paid immediately", async () => {
    const link = await create({ network: "bsc" });
    expect(await readOrder(idOf(await submit(link.id)))).toMatchObject({ network: "bsc", quoteId: expect.any(String) });
  });

  test("still works after its key was revoked", async () => {
    const other = await seedMerchant(db(), start);
    await seedAddress(db(), { merchantId: other.id, network: "ethereum" }, start);
    const by = { merchantId: other.id, apiKeyId: other.keyId };
    const { link } = await createLink(db(), ctx, by, TERMS, start);
    await db().update(apiKeys).set({ endsAt: start }).where(eq(apiKeys.id, other.keyId));
    expect(await readOrder(idOf(await submit(link.id, {}, at(1))))).toMatchObject({ apiKeyId: other.keyId });
    await expect(createLink(db(), ctx, by, TERMS, at(1))).rejects.toMatchObject({ code: 10002 });
  });

  test("is created once by repeated requests with its number, and other terms are refused", async () => {
    const terms = { ...TERMS, mchLinkId: "L-1" };
    const made = await Promise.all(Array.from({ length: 5 }, () => createLink(db(), ctx, caller(), terms, start)));
    expect(new Set(made.map(({ link }) => link.id)).size).toBe(1);
    expect(made.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect((await createLink(db(), ctx, caller(), terms, at(9))).isReplayed).toBe(true);
    const others = [{ amount: "11" }, { maxUses: 3 }, { expires: null }, { subject: "Coffee" }];
    for (const other of others)
      await expect(createLink(db(), ctx, caller(), { ...terms, ...other }, start)).rejects.toMatchObject({
        code: 10004,
      });
  });

  test("is refused if the merchant has no address for it, or its bounds are swapped", async () => {
    const bounds = { amount: null, minAmount: "2", maxAmount: "1" };
    await expect(create(bounds)).rejects.toMatchObject({ code: 10001 });
    await expect(create({ network: "tron" })).rejects.toMatchObject({ code: 10001 });
  });

  test("of a user records the user, and so does closing it; both are refused for viewers", async () => {
    const userId = await seedPerson(db(), { merchantId: merchant.id }, start);
    const owner = { merchantId: merchant.id, userId, role: "owner" } as const;
    const { link } = await createLink(db(), ctx, owner, TERMS, start);
    await closeLink(db(), owner, { id: link.id }, at(1));
    await closeLink(db(), owner, { id: link.id }, at(2));
    const lines = await db().select().from(auditEvents).where(eq(auditEvents.userId, userId));
    expect(lines.map(({ action }) => action).toSorted()).toEqual(["payment_link.closed", "payment_link.created"]);
    const viewer = { ...owner, role: "viewer" } as const;
    await expect(createLink(db(), ctx, viewer, TERMS, start)).rejects.toMatchObject({ name: "AppError" });
    await expect(closeLink(db(), viewer, { id: link.id }, start)).rejects.toMatchObject({ name: "AppError" });
  });

  test("of another merchant cannot be closed", async () => {
    const link = await create();
    const other = await seedMerchant(db(), start);
    const by = { merchantId: other.id, apiKeyId: other.keyId };
    await expect(closeLink(db(), by, { id: link.id }, start)).rejects.toMatchObject({ code: 10003 });
    expect(await submit(link.id)).toHaveProperty("orderId");
  });
});

describe("uses", () => {
  test("one use is given to one of many concurrent payers", async () => {
    const link = await create({ maxUses: 1 });
    const started = await Promise.all(Array.from({ length: 12 }, () => submit(link.id)));
    expect(started.filter((one) => one === "over")).toHaveLength(11);
    expect(started.filter((one) => one !== null && one !== "over" && "orderId" in one)).toHaveLength(1);
  });

  test("three uses are given to three of many concurrent payers", async () => {
    const link = await create({ maxUses: 3 });
    const started = await Promise.all(Array.from({ length: 12 }, () => submit(link.id)));
    expect(started.filter((one) => one === "over")).toHaveLength(9);
  });

  test("an open, confirming, paid or partly paid order keeps its use; an expired or cancelled one frees it", async () => {
    const link = await create({ maxUses: 1 });
    const id = idOf(await submit(link.id));
    const cases = [
      [{ status: "pending" }, "over"],
      [{ status: "confirming" }, "over"],
      [{ status: "paid", paidAt: at(1) }, "over"],
      [{ status: "expired", paidAt: null, exception: "underpaid" }, "over"],
      [{ status: "cancelled", exception: null }, "free"],
      [{ status: "expired", exception: null }, "free"],
    ] as const;
    for (const [change, result] of cases) {
      await setStatus(id, change);
      const started = await submit(link.id, {}, at(2));
      if (result === "over") expect([change, started]).toEqual([change, "over"]);
      else await setStatus(idOf(started), { status: "expired" });
    }
  });
});

describe("a form", () => {
  test("that is submitted twice, also concurrently, creates one order", async () => {
    const link = await create({ maxUses: 1 });
    const formKey = newId(start);
    const started = await Promise.all(Array.from({ length: 8 }, () => submit(link.id, { formKey })));
    expect(new Set(started.map(idOf)).size).toBe(1);
    await closeLink(db(), caller(), { id: link.id }, at(1));
    expect(idOf(await submit(link.id, { formKey }, at(2)))).toBe(started.map(idOf)[0]);
  });

  test("that is submitted again after its order was paid returns the paid order; after it expired, a new one", async () => {
    const link = await create();
    const formKey = newId(start);
    const first = idOf(await submit(link.id, { formKey }));
    await setStatus(first, { status: "paid", paidAt: at(1) });
    expect(idOf(await submit(link.id, { formKey }, at(60)))).toBe(first);
    await setStatus(first, { status: "expired", paidAt: null });
    expect(idOf(await submit(link.id, { formKey }, at(60)))).not.toBe(first);
  });

  test("that is submitted again with another amount creates another order if a use is left", async () => {
    const open = { amount: null, minAmount: "5", maxAmount: "50" } as const;
    const link = await create({ ...open, maxUses: 2 });
    const formKey = newId(start);
    const first = idOf(await submit(link.id, { formKey, amount: "7,50" }));
    expect(idOf(await submit(link.id, { formKey, amount: "7.5" }))).toBe(first);
    const second = idOf(await submit(link.id, { formKey, amount: "8" }, at(1)));
    expect(second).not.toBe(first);
    expect(await submit(link.id, { formKey, amount: "9" })).toBe("over");
    expect((await listFormOrders(db(), { id: link.id, merchantId: merchant.id }, formKey)).length).toBe(2);
    const page = await findLinkPage(db(), ctx, { id: link.id, formKey }, start);
    expect(page).toMatchObject({ uses: 2, openOrderId: second });
  });

  test("with an amount outside the link's bounds or the merchant's limits, or a note that is too long, creates no order", async () => {
    const link = await create({ amount: null, minAmount: "5", maxAmount: "50", noteLabel: "Note" });
    const cases = [
      [{ amount: "4" }, { kind: "tooLittle", limit: "5.00 USDT" }],
      [{ amount: "51" }, { kind: "tooMuch", limit: "50.00 USDT" }],
      [{ amount: "x" }, { kind: "amount" }],
      [{ amount: "6", note: "x".repeat(201) }, { kind: "note" }],
      [{ amount: "6", note: "a\u0000b" }, { kind: "note" }],
    ] as const;
    for (const [change, problem] of cases) expect(await submit(link.id, change)).toEqual({ problem });
    expect((await findLinkPage(db(), ctx, { id: link.id, formKey: null }, start))?.uses).toBe(0);
  });
});

test("the merchant's limits of orders apply to the amounts that payers enter, and not to the form", async () => {
  const isOwn = eq(merchants.id, merchant.id);
  await db().update(merchants).set({ minMicro: 20_000_000n, maxMicro: 30_000_000n }).where(isOwn);
  const link = await create({ amount: null });
  expect((await findLinkPage(db(), ctx, { id: link.id, formKey: null }, start))?.isPayable).toBe(true);
  expect(await submit(link.id, { amount: "19" })).toEqual({ problem: { kind: "tooLittle", limit: "20.00 USDT" } });
  expect(await submit(link.id, { amount: "31" })).toEqual({ problem: { kind: "tooMuch", limit: "30.00 USDT" } });
  expect(await submit(link.id, { amount: "25" })).toHaveProperty("orderId");
  await expect(create({ amount: "31" })).rejects.toMatchObject({ code: 10001 });
  await db().update(merchants).set({ minMicro: null, maxMicro: null }).where(isOwn);
});

test("one address gets ten orders of a link, then one every six minutes; other addresses and links are not affected", async () => {
  const link = await create();
  for (let count = 0; count < 10; count++)
    expect(await submit(link.id, { from: "192.0.2.1" })).toHaveProperty("orderId");
  expect(await submit(link.id, { from: "192.0.2.1" })).toEqual({ problem: { kind: "often" } });
  expect(await submit(link.id, { from: "192.0.2.2" })).toHaveProperty("orderId");
  expect(await submit((await create()).id, { from: "192.0.2.1" })).toHaveProperty("orderId");
  expect(await submit(link.id, { from: "192.0.2.1" }, at(6))).toHaveProperty("orderId");
  expect(await submit(link.id, { from: "192.0.2.1" }, at(6))).toEqual({ problem: { kind: "often" } });
});

test("an ended, closed or unknown link creates no order", async () => {
  const link = await create({ expires: { seconds: 300 } });
  expect(await submit(link.id, {}, at(5))).toBe("over");
  const closed = await create();
  await closeLink(db(), caller(), { id: closed.id }, start);
  expect(await submit(closed.id)).toBe("over");
  expect(await submit(newId(start))).toBeNull();
  expect(await submit("no id")).toBeNull();
});

test("the list filters by the status that the domain computes, and sums what the orders received", async () => {
  const other = await seedMerchant(db(), start);
  await seedAddress(db(), { merchantId: other.id, network: "ethereum" }, start);
  const by = { merchantId: other.id, apiKeyId: other.keyId };
  const make = async (change: Partial<LinkRequest>) =>
    (await createLink(db(), ctx, by, { ...TERMS, network: "ethereum", ...change }, start)).link;
  const links = [
    await make({}),
    await make({ maxUses: 1 }),
    await make({ maxUses: 1, expires: { seconds: 300 } }),
    await make({ expires: null }),
    await make({ expires: { at: at(9) } }),
  ];
  const paid = idOf(await submit(links[1]?.id ?? "", {}, start));
  await setStatus(paid, { paidUnits: 10_000_000n, status: "paid", paidAt: start });
  await closeLink(db(), by, { id: links[3]?.id ?? "" }, at(1));
  for (const now of [at(1), at(7), at(10)]) {
    const all = (await listLinkRows(db(), other.id, {}, { cursor: null, limit: 20, now })).rows;
    expect(all).toHaveLength(links.length);
    for (const status of LINK_STATUSES) {
      const { rows } = await listLinkRows(db(), other.id, { status }, { cursor: null, limit: 20, now });
      const expected = all.filter((link) => linkStatus(link, link.uses, now) === status);
      expect([status, now, rows.map(({ id }) => id)]).toEqual([status, now, expected.map(({ id }) => id)]);
    }
  }
  const ids = links.map(({ id }) => id);
  expect(await listLinkSums(db(), other.id, ids)).toEqual([
    { linkId: links[1]?.id, network: "ethereum", currency: "USDT", paidUnits: 10_000_000n },
  ]);
  expect(await listLinkSums(db(), merchant.id, ids)).toEqual([]);
  expect(await db().$count(paymentLinks, eq(paymentLinks.merchantId, other.id))).toBe(5);
});
