import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { lookups, orders } from "@/db/schema";
import { seedAddress } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ trustedProxies: 1, viewsPerMinute: 1_000 });
const ID = `0x${"ab".repeat(32)}`;
let count = 0;

beforeAll(async () => {
  await seedAddress(api.pool.db, { merchantId: api.merchant.id }, new Date());
});

async function create(): Promise<string> {
  const terms = { mch_order_id: `order-${++count}`, amount: 12, currency: "USDT", network: "ethereum" };
  const { body } = await api.post("/order/add", terms);
  return String(body.data?.["trade_id"]);
}

/** Submits the form like a browser that has only the link, without JavaScript or cookies. */
const send = (tradeId: string, tx: string, { query = "", from = "192.0.2.1" } = {}) =>
  fetch(`${api.origin}/pay/${tradeId}${query}`, {
    method: "POST",
    body: new URLSearchParams({ tx }),
    headers: { "x-forwarded-for": from },
    redirect: "manual",
  });
const page = async (tradeId: string, query = "") => (await fetch(`${api.origin}/pay/${tradeId}${query}`)).text();
/** Returns only the form, so that a failing test does not print a whole page. */
const formOf = (html: string) => /<form class="asking".*?<\/form>/s.exec(html)?.[0] ?? "";
const rowsOf = (tradeId: string) => api.pool.db.select().from(lookups).where(eq(lookups.orderId, tradeId));

test("303: a transaction id is accepted, and the page shows the search; a reload does not ask again", async () => {
  const tradeId = await create();
  expect(formOf(await page(tradeId, "?paid=1"))).toContain(
    `<form class="asking" method="post" action="/pay/${tradeId}?paid=1`,
  );
  const answer = await send(tradeId, ` https://etherscan.io/tx/${ID} `, { query: "?paid=1&lang=de" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `/pay/${tradeId}?lang=de`]);
  expect(await rowsOf(tradeId)).toMatchObject([{ network: "ethereum", txId: ID, answer: null }]);
  expect(await page(tradeId)).toMatch(/Looking for .*0xabab.* on Ethereum/);
});

test("the selected exchange stays selected through a form, and the page shows its names; other values are ignored", async () => {
  const tradeId = await create();
  expect(await page(tradeId, "?from=binance")).toContain("Network at Binance: <bdi>Ethereum (ERC20)</bdi>");
  expect(await page(tradeId)).not.toContain("Network at");
  expect(await page(tradeId, "?from=nowhere")).toBe(await page(tradeId));
  const answer = await send(tradeId, ID, { query: "?paid=1&lang=de&from=okx" });
  expect(answer.headers.get("location")).toBe(`/pay/${tradeId}?lang=de&from=okx`);
  const invalid = await send(tradeId, ID, { query: "?from=nowhere" });
  expect(invalid.headers.get("location")).toBe(`/pay/${tradeId}`);
});

test("422: an invalid transaction id is reported in the page's language, and the form keeps the input", async () => {
  const tradeId = await create();
  const typed = `"><script>alert('ü')</script>${"x".repeat(400)}`;
  const answer = await send(tradeId, typed, { query: "?paid=1&lang=de" });
  expect([answer.status, answer.headers.get("content-language")]).toEqual([422, "de"]);
  const html = formOf(await answer.text());
  expect(html).toContain("Das ist keine Transaktions-ID");
  expect(html).toContain('value="&quot;&gt;&lt;script&gt;alert(&#39;ü&#39;)&lt;/script&gt;xxx');
  expect(html).not.toContain("x".repeat(300));
  for (const mark of ['aria-invalid="true"', 'aria-describedby="tx-problem tx-hint"', 'id="tx-problem" role="alert"'])
    expect(html).toContain(mark);
  expect(await rowsOf(tradeId)).toEqual([]);
  expect(formOf(await page(tradeId, "?paid=1&lang=de"))).not.toContain("script&gt;");
});

test("429: too many questions are refused with the time to retry; other addresses and orders are not affected", async () => {
  const tradeId = await create();
  const id = (digit: number) => `0x${String(digit).repeat(64)}`;
  for (let digit = 0; digit < 5; digit++)
    expect((await send(tradeId, id(digit), { from: `203.0.113.${digit}` })).status).toBe(303);
  const refused = await send(tradeId, id(5), { query: "?paid=1" });
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  const html = formOf(await refused.text());
  expect(html).toContain("Too many lookups. Try again in a minute.");
  expect(html).toContain(`value="${id(5)}"`);
  expect(html).not.toContain("aria-invalid");
  const from = "198.51.100.1";
  const answers = [];
  for (let order = 0; order < 3; order++) {
    const another = await create();
    for (let digit = 0; digit < 4; digit++) answers.push((await send(another, id(digit), { from })).status);
  }
  expect(answers).toEqual([...Array(10).fill(303), 429, 429]);
  expect((await send(await create(), id(0), { from: "198.51.100.2" })).status).toBe(303);
});

test("expired orders can be looked up like others; paid or missing orders start no lookup", async () => {
  const expired = await create();
  const paid = await create();
  const over = { expiresAt: new Date(Date.now() - 60_000) };
  await api.pool.db
    .update(orders)
    .set({ status: "expired", ...over })
    .where(eq(orders.id, expired));
  await api.pool.db.update(orders).set({ status: "paid", paidAt: new Date() }).where(eq(orders.id, paid));
  expect(formOf(await page(expired, "?paid=1"))).not.toBe("");
  expect((await send(expired, ID)).status).toBe(303);
  expect(await rowsOf(expired)).toHaveLength(1);
  expect(formOf(await page(paid, "?paid=1"))).toBe("");
  expect((await send(paid, "nonsense")).status).toBe(303);
  expect((await send(paid, ID)).status).toBe(303);
  expect(await rowsOf(paid)).toEqual([]);
  expect((await send("01kahy4m3r9t5w8x2z6b7c1d0e", ID)).status).toBe(303);
});

test("a different amount takes over the page, also once the order expired, until the payer says that it is another person's", async () => {
  const tradeId = await create();
  await send(tradeId, ID);
  const answer = { kind: "amount", arrived: "11", due: "12", isShort: true, currency: "USDT" } as const;
  await api.pool.db.update(lookups).set({ answer }).where(eq(lookups.orderId, tradeId));
  await api.pool.db.update(orders).set({ version: 7 }).where(eq(orders.id, tradeId));
  const shown = await page(tradeId);
  expect(shown).toContain('data-view="otherAmount"');
  expect(shown).toContain("<strong>1.00 USDT is missing.</strong>");
  expect(shown.replaceAll(/<[^>]+>/g, "")).toContain(ID);
  expect(shown).not.toContain('id="address"');
  const withdrawn = await fetch(`${api.origin}/pay/${tradeId}`, {
    method: "POST",
    body: new URLSearchParams({ withdraw: "1" }),
    redirect: "manual",
  });
  expect([withdrawn.status, withdrawn.headers.get("location")]).toEqual([303, `/pay/${tradeId}`]);
  expect(await rowsOf(tradeId)).toEqual([]);
  expect(await page(tradeId)).toContain('data-view="waiting"');
});
