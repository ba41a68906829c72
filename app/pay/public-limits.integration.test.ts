import { sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { seedAddress } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const UNKNOWN = "01J00000000000000000000000";
const VIEWS = 2;
const PATIENCE = { timeout: 20_000, interval: 20 };
/** A number of clients that exceeds the page connections, and also the total number of connections. */
const CROWD = 40;

describe("with limits", () => {
  const api = useTestApi({ viewsPerMinute: VIEWS, streamsPerAddress: 2, trustedProxies: 1 });
  const get = (path: string, address: string) =>
    fetch(api.origin + path, { headers: { "x-forwarded-for": address }, redirect: "manual" });

  test.each([
    { path: `/pay/${UNKNOWN}`, address: "192.0.2.1", expected: "too many views" },
    { path: `/pay/${UNKNOWN}/return`, address: "192.0.2.7", expected: "too many views" },
    { path: `/api/pay/${UNKNOWN}/status`, address: "192.0.2.2", expected: "too many views" },
    { path: `/api/pay/${UNKNOWN}/events`, address: "192.0.2.3", expected: "too many views" },
    { path: `/api/pay/${UNKNOWN}/wallet`, address: "192.0.2.5", expected: "too many views" },
    { path: "/api/health", address: "192.0.2.4", expected: "too many views" },
  ])("429: $path is limited per address, and returns when to retry", async ({ path, address, expected }) => {
    for (let count = 0; count < 2 * VIEWS; count++) expect((await get(path, address)).status).not.toBe(429);
    const refused = await get(path, address);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await refused.text()).toLowerCase()).toContain(expected);
    expect((await get(path, `198.51.100.${address.at(-1)}`)).status).not.toBe(429);
  });

  test("429: a payer whom a shop sends too often gets a page in their language, which reloads unless that repeats a form", async () => {
    const submit = (method: string) =>
      fetch(`${api.origin}/epay/submit.php`, {
        method,
        headers: { "x-forwarded-for": "192.0.2.6", "accept-language": "de" },
      });
    const refused = await submit("GET");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("content-language")).toBe("de");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const page = await refused.text();
    expect(page).toContain("Zu viele Aufrufe");
    expect(page).toContain("data-retry");
    const posted = await submit("POST");
    expect(posted.status).toBe(429);
    expect(Number(posted.headers.get("retry-after"))).toBeGreaterThan(0);
    const form = await posted.text();
    expect(form).toContain("Zahlungen können gerade nicht gestartet werden");
    expect(form).not.toMatch(/<script|http-equiv="refresh"|data-retry/);
  });

  test("a client with too many wrong signatures is refused with status 200 and a code, in both versions of EPay", async () => {
    for (const [index, path] of ["epay/mapi.php", "epay-rsa/api/pay/create"].entries()) {
      const headers = { "x-forwarded-for": `192.0.2.${100 + index}` };
      const codes = new Set<number>();
      for (let sent = 0; sent < 25; sent++) {
        const body = new URLSearchParams({ pid: "1", sign_type: "RSA", sign: "AAAA" });
        const answer = await fetch(`${api.origin}/${path}`, { method: "POST", headers, body });
        expect(answer.status).toBe(200);
        codes.add(((await answer.json()) as { code: number }).code);
      }
      expect([...codes]).toEqual([-3, -2]);
    }
  });

  test("429: an address has so many event streams; when one ends there is room again", async () => {
    const address = await seedAddress(api.pool.db, { merchantId: api.merchant.id }, new Date());
    expect(address).toBeDefined();
    const order = {
      mch_order_id: "one",
      amount: 12,
      currency: "USDT",
      network: "ethereum",
      notify_url: "https://shop.example/cb",
    };
    const { body } = await api.post("/order/add", order);
    const gone = new AbortController();
    const open = (signal?: AbortSignal) =>
      fetch(`${api.origin}/api/pay/${body.data?.["trade_id"]}/events`, {
        headers: { "x-forwarded-for": "203.0.113.1" },
        ...(signal ? { signal } : {}),
      });
    const first = await open(gone.signal);
    const second = await open();
    expect([first.status, second.status]).toEqual([200, 200]);
    const refused = await open();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    gone.abort();
    await second.body?.cancel();
  });
});

describe("connections", () => {
  const api = useTestApi();

  test("HEAD and 304 have the headers of GET, without the page", async () => {
    await seedAddress(api.pool.db, { merchantId: api.merchant.id }, new Date());
    const order = { mch_order_id: "three", amount: 12, currency: "USDT", network: "ethereum" };
    const { body } = await api.post("/order/add", order);
    const page = `${api.origin}/pay/${body.data?.["trade_id"]}`;
    const whole = await fetch(page);
    const length = whole.headers.get("content-length");
    const etag = whole.headers.get("etag") ?? "";
    expect(Number(length)).toBeGreaterThan(1_000);
    const head = await fetch(page, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, length, ""]);
    const known = await fetch(page, { headers: { "if-none-match": etag } });
    expect([known.status, known.headers.get("etag"), await known.text()]).toEqual([304, etag, ""]);
    for (const { headers } of [whole, head, known]) expect(headers.get("server-timing")).toMatch(/^now;dur=\d{13}$/);
  });

  test("orders are made while everything that pages read waits", async () => {
    await seedAddress(api.pool.db, { merchantId: api.merchant.id }, new Date());
    const order = {
      mch_order_id: "two",
      amount: 12,
      currency: "USDT",
      network: "ethereum",
      notify_url: "https://shop.example/cb",
    };
    await api.pool.db.transaction(async (tx) => {
      await tx.execute(sql`lock table unreadable_transactions in access exclusive mode`);
      const crowd = Array.from({ length: CROWD }, () => fetch(`${api.origin}/api/health`));
      const stuck = sql`select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await vi.waitUntil(async () => Number((await api.pool.db.execute(stuck))[0]?.["count"]) >= 4, PATIENCE);
      expect((await api.post("/order/add", order)).status).toBe(200);
      expect(Number((await api.pool.db.execute(stuck))[0]?.["count"])).toBeGreaterThanOrEqual(4);
      void Promise.allSettled(crowd);
    });
  });
});
