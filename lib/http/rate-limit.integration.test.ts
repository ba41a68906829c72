import { describe, expect, test } from "vitest";
import { createRateLimiter } from "@/lib/http/rate-limit";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ createsPerMinute: 10, readsPerMinute: 20 });
const policy = { name: "test", perMinute: 60, burst: 120 };

describe("limits per key", () => {
  test("429: more concurrent orders than the burst allows; the responses report the key's limit", async () => {
    const order = (id: number) => ({ currency: "USDT", network: "bsc", amount: 1, mch_order_id: `limit-${id}` });
    const first = await api.post("/order/add", order(0));
    expect(first.headers.get("ratelimit-policy")).toBe('"creates";q=20;w=120');
    expect(first.headers.get("ratelimit")).toMatch(/^"creates";r=19;t=\d+$/);
    const answers = await Promise.all(
      Array.from({ length: 29 }, (_, index) => api.post("/order/add", order(index + 1))),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    expect(refused[0]?.body.code).toBe(10005);
    expect(refused[0]?.headers.get("ratelimit")).toMatch(/^"creates";r=0;t=\d+$/);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await api.post("/order/detail", { trade_id: "x" })).status).toBe(404);
  });
});

describe("a limit over several processes", () => {
  const now = (seconds: number) => new Date(Date.UTC(2030, 0, 1) + seconds * 1000);

  test("two processes together allow no more than the burst", async () => {
    const one = createRateLimiter(api.pool.db);
    const two = createRateLimiter(api.pool.db);
    const takes = Array.from({ length: 300 }, (_, index) => (index % 2 ? one : two).take(policy, "shared", now(0)));
    const verdicts = await Promise.all(takes);
    const allowed = verdicts.filter(({ isAllowed }) => isAllowed).length;
    expect(allowed).toBeLessThanOrEqual(120);
    expect(allowed).toBeGreaterThan(108);
  });

  test("refilled capacity can be used again, and no more", async () => {
    const limiter = createRateLimiter(api.pool.db);
    const drain = async (at: Date) => {
      let used = 0;
      while ((await limiter.take(policy, "drained", at)).isAllowed) used += 1;
      return used;
    };
    expect(await drain(now(0))).toBe(120);
    expect(await drain(now(0.5))).toBe(0);
    expect(await drain(now(10))).toBe(10);
    expect(await drain(now(1_000))).toBe(120);
  });

  test("a refusal has the time to retry, and then ends", async () => {
    const limiter = createRateLimiter(api.pool.db);
    const small = { name: "small", perMinute: 6, burst: 1 };
    expect(await limiter.take(small, "who", now(0))).toMatchObject({ isAllowed: true, remaining: 0 });
    const refused = await limiter.take(small, "who", now(1));
    expect(refused).toMatchObject({ isAllowed: false, retryAfterSeconds: 9 });
    expect((await limiter.take(small, "who", now(10))).isAllowed).toBe(true);
  });
});
