import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { LANGUAGES } from "@/components/pay/messages/languages";
import { apiKeys, orders, receivingAddresses } from "@/db/schema";
import { SCOPES } from "@/lib/domain/keys/key-rules";
import { seedAddress, seedMerchant } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ viewsPerMinute: 100_000, trustedProxies: 1 });
const db = () => api.pool.db;
let count = 0;

beforeAll(async () => {
  await seedAddress(db(), { merchantId: api.merchant.id, network: "ethereum" }, new Date());
});
beforeEach(async () => {
  const isOwn = eq(apiKeys.id, api.merchant.keyId);
  await db()
    .update(apiKeys)
    .set({ scopes: [...SCOPES] })
    .where(isOwn);
});

async function add(terms: object = { currency: "USDT", amount: 5 }) {
  const { status, body, headers } = await api.post("/link/add", terms);
  return { status, body, headers, data: body.data ?? {}, id: String(body.data?.["link_id"]) };
}
const get = (id: string, { query = "", cookie = "" } = {}) =>
  fetch(`${api.origin}/link/${id}${query}`, { headers: { cookie } });
const send = (id: string, fields: Record<string, string>, { query = "", from = `192.0.2.${++count % 250}` } = {}) =>
  fetch(`${api.origin}/link/${id}${query}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual",
    headers: { "x-forwarded-for": from },
  });
const keyIn = (html: string) => /name="key" value="([0-9a-z]{28})"/.exec(html)?.[1] ?? "";
const cookieIn = (answer: Response) => answer.headers.get("set-cookie")?.split(";")[0] ?? "";
const orderIn = (answer: Response) => /^\/pay\/([0-9a-z]{28})/.exec(answer.headers.get("location") ?? "")?.[1] ?? "";

describe("the page of a payment link", () => {
  test("creates an order without a script, and shows its payment page in the payer's language", async () => {
    const { id } = await add({ fiat: "EUR", min_amount: 5, subject: "Donation", note_label: "Your name" });
    const page = await get(id);
    const html = await page.text();
    expect(html).not.toContain("<script");
    expect(page.headers.get("content-security-policy")).toContain("script-src 'none'");
    expect(html).toContain("Donation");
    expect(html).toContain("At least ");
    // Without a rate, the price cannot be converted.
    expect((await send(id, { key: keyIn(html), amount: "7" })).status).toBe(503);

    const tokens = await add({ currency: "USDT", min_amount: 5, note_label: "Your name" });
    const form = await (await get(tokens.id)).text();
    const answer = await send(tokens.id, { key: keyIn(form), amount: "7,5", note: "Ada" }, { query: "?lang=de" });
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      expect.stringMatching(/^\/pay\/.*\?lang=de$/),
    ]);
    const detail = await api.post("/order/detail", { trade_id: orderIn(answer) });
    expect(detail.body.data).toMatchObject({ status: "pending", amount: 7.5 });
    const [order] = await db()
      .select()
      .from(orders)
      .where(eq(orders.id, orderIn(answer)));
    expect(JSON.parse(order?.metadata ?? "")).toEqual({ payment_link: tokens.id, note: "Ada" });
    expect((await fetch(`${api.origin}/pay/${orderIn(answer)}`)).status).toBe(200);
  });

  test("gives a browser the same key while its order is open, so that going back creates no second order", async () => {
    const { id } = await add({ currency: "USDT", amount: 5, max_uses: 2 });
    const first = await get(id);
    const key = keyIn(await first.text());
    expect(first.headers.get("set-cookie")).toMatch(new RegExp(`=${key}; Path=/link/${id}; .*HttpOnly; SameSite=Lax`));
    const started = await send(id, { key });
    const back = await (await get(id, { cookie: cookieIn(started) })).text();
    expect(keyIn(back)).toBe(key);
    expect(back).toContain(`/pay/${orderIn(started)}`);
    expect(orderIn(await send(id, { key: keyIn(back) }))).toBe(orderIn(started));
    await db()
      .update(orders)
      .set({ status: "paid", paidAt: new Date() })
      .where(eq(orders.id, orderIn(started)));
    const again = await (await get(id, { cookie: cookieIn(started) })).text();
    expect(keyIn(again)).not.toBe(key);
    expect(orderIn(await send(id, { key: keyIn(again) }))).not.toBe(orderIn(started));
    const used = await (await get(id)).text();
    expect(used).toContain('data-state="usedUp"');
    expect(used).not.toContain('name="key"');
  });

  test("repeats refused input with its problem", async () => {
    const { id } = await add({ currency: "USDT", min_amount: 5, max_amount: 50, note_label: "Your name" });
    const answer = await send(id, { amount: "3", note: 'A "name"' });
    const html = await answer.text();
    expect(answer.status).toBe(422);
    expect(html).toContain('role="alert"');
    expect(html).toContain('value="3"');
    expect(html).toContain("A &quot;name&quot;");
    expect(html).toContain('aria-invalid="true"');
  });

  test("429: an address that created ten orders", async () => {
    const { id } = await add();
    const from = "198.51.100.7";
    for (let index = 0; index < 10; index++) expect((await send(id, {}, { from })).status).toBe(303);
    const refused = await send(id, {}, { from });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "360"]);
    expect(await refused.text()).toContain("Too many payments were started from your network");
    expect((await send(id, {}, { from: "198.51.100.8" })).status).toBe(303);
  });

  test("says that the link has ended, that the shop cannot be paid, or that there is no link", async () => {
    const { id } = await add();
    await api.post("/link/close", { link_id: id });
    expect(await (await get(id)).text()).toContain('data-state="ended"');
    expect(await (await send(id, {})).text()).toContain('data-state="ended"');
    const other = await add();
    const own = eq(receivingAddresses.merchantId, api.merchant.id);
    await db().update(receivingAddresses).set({ pausedAt: new Date() }).where(own);
    expect(await (await get(other.id)).text()).toContain('data-state="away"');
    await db().update(receivingAddresses).set({ pausedAt: null }).where(own);
    const none = await get("01kaq5r3x2000f7j0n3q6s9v1wyz");
    expect([none.status, await none.text()]).toEqual([404, expect.stringContaining("There is no payment link")]);
    expect((await get("nothing")).status).toBe(404);
  });

  test("is small and complete in every language", async () => {
    const { id } = await add({ currency: "USDT", min_amount: 5, max_amount: 50, subject: "Tea", note_label: "Name" });
    for (const { lang, linkSubmit } of LANGUAGES) {
      const answer = await fetch(`${api.origin}/link/${id}?lang=${lang}`, { headers: { "accept-encoding": "br" } });
      expect(Number(answer.headers.get("content-length"))).toBeLessThan(14 * 1_024);
      expect(await answer.text()).toContain(linkSubmit);
    }
  });
});

test("413: a form that is too large is refused, and is no failure of the service", async () => {
  const { id } = await add();
  expect((await send(id, { note: "x".repeat(70_000) })).status).toBe(413);
});

describe("the API of payment links", () => {
  test("creates a link once under a number, lists it and closes it", async () => {
    const terms = { fiat: "eur", fiat_amount: "19.90", mch_link_id: "L-1", max_uses: 3, expires_in: 0 };
    const made = await add(terms);
    expect(made.data).toMatchObject({
      url: `https://pay.example.com/link/${made.id}`,
      status: "open",
      fiat: "EUR",
      fiat_amount: 19.9,
      amount: null,
      expires_at: null,
      max_uses: 3,
      uses: 0,
    });
    const again = await add(terms);
    expect([again.id, again.headers.get("idempotent-replayed")]).toEqual([made.id, "true"]);
    expect((await add({ ...terms, max_uses: 4 })).body.code).toBe(10004);
    const listed = await api.post("/link/list", { status: "open", limit: 1 });
    expect(listed.body.data).toMatchObject({ links: [{ link_id: made.id }] });
    expect((await api.post("/link/detail", { link_id: made.id })).body.data).toEqual(made.data);
    expect((await api.post("/link/detail", { mch_link_id: "unknown" })).body.code).toBe(10003);
    const closed = await api.post("/link/close", { mch_link_id: "L-1" });
    expect(closed.body.data).toMatchObject({ link_id: made.id, status: "closed", closed_at: expect.any(Number) });
    expect((await api.post("/link/close", { link_id: made.id })).status).toBe(200);
    expect((await api.post("/link/close", { mch_link_id: "unknown" })).body.code).toBe(10003);
    expect((await api.post("/link/close", {})).body.code).toBe(10001);
  });

  test("pages through all links", async () => {
    await add();
    await add();
    const seen: string[] = [];
    for (let cursor: unknown = null, pages = 0; pages < 50; pages++) {
      const { body } = await api.post("/link/list", { cursor, limit: 2 });
      const page = body.data?.["links"] as { link_id: string }[];
      seen.push(...page.map(({ link_id }) => link_id));
      cursor = body.data?.["next_cursor"];
      if (cursor === null) break;
    }
    expect(seen).toEqual([...new Set(seen)].toSorted().toReversed());
    expect(seen.length).toBeGreaterThan(2);
  });

  test.each([
    [{ amount: 5, fiat: "EUR", currency: "USDT" }, "amount"],
    [{ fiat_amount: 5 }, "fiat_amount"],
    [{ fiat: "EUR", fiat_amount: "5.001" }, "fiat_amount"],
    [{ fiat: "JPY", min_amount: "5.5" }, "min_amount"],
    [{ amount: 5, min_amount: 1 }, "min_amount"],
    [{ min_amount: 5, max_amount: 1 }, "min_amount"],
    [{ amount: 5, expires_in: 299 }, "expires_in"],
    [{ amount: 5, max_uses: 0 }, "max_uses"],
    [{ amount: 5, note_label: "x".repeat(61) }, "note_label"],
    [{ amount: 5, network: "bsc" }, "network"],
  ])("10001: %j", async (terms, field) => {
    const { status, body } = await add(terms);
    expect([status, body.code, body.errors?.map((one) => one.field)]).toEqual([
      400,
      10001,
      expect.arrayContaining([field]),
    ]);
  });

  test("a key with the usual scopes can neither create nor read links", async () => {
    const headers = { "x-api-key": (await seedMerchant(db(), new Date())).apiKey };
    for (const path of ["/link/add", "/link/detail", "/link/list", "/link/close"])
      expect([path, (await api.post(path, {}, headers)).status]).toEqual([path, 401]);
  });
});
