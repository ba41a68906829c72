import { afterEach, beforeEach, expect, test } from "vitest";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { parseRate } from "@/lib/domain/rates/price";
import { decideRate } from "@/lib/domain/rates/setting";
import { planRequests, RATE_SOURCES, type RateReading, readAnswer } from "@/lib/domain/rates/sources";
import { guardedGet } from "@/lib/outbound/guarded-get";
import { jsonRpc } from "@/sandbox/nodes/json-rpc";
import { type RateServer, startRateServer } from "@/sandbox/rate-server";

const start = Date.parse("2026-11-22T12:00:00Z");
const SANDBOX = { allowCidrs: ["127.0.0.0/8"] };
let server: RateServer;
let nowMs: number;

beforeEach(async () => {
  nowMs = start;
  server = await startRateServer(() => nowMs);
});
afterEach(() => server.close());

/** Returns all readings and problems that the service gets from the server with the rate sources of the release. */
async function readAll(fiats = ["EUR", "SEK", "USD"]): Promise<{ readings: RateReading[]; problems: string[] }> {
  const readings: RateReading[] = [];
  const problems: string[] = [];
  for (const row of RATE_SOURCES) {
    const source = { ...row, ...server.sources[row.id] };
    for (const request of planRequests(source, fiats)) {
      const result = await guardedGet(request.url, "Stablegate/test", SANDBOX);
      const body =
        result.kind === "answered"
          ? readAnswer(source, request, result.text, new Date(nowMs))
          : { readings: [], failure: result.error };
      readings.push(...body.readings);
      if (body.failure) problems.push(`${row.id}: ${inEnglish(body.failure)}`);
    }
  }
  return { readings, problems };
}
const market = (readings: RateReading[], fiat = "EUR") =>
  decideRate(RATE_SOURCES, readings, { currency: "USDT", fiat }, new Date(nowMs));
const control = (method: string, ...params: unknown[]) => jsonRpc(server.controlUrl, method, params);

test("every source of the release is served in its own form, and all agree", async () => {
  const { readings, problems } = await readAll();
  expect(problems).toEqual([]);
  expect(market(readings)).toMatchObject({ sources: ["coinbase", "kraken", "coingecko"], leftOut: [] });
  expect(market(readings, "SEK")).toMatchObject({ sources: ["ecb (through USD)"], leftOut: [] });
  expect(market(readings, "USD").rate).toBe(parseRate("1.0002"));
});

test("prices move a little with time", async () => {
  const before = market((await readAll()).readings).rate;
  nowMs += 150_000;
  const after = market((await readAll()).readings).rate;
  expect(after).not.toBe(before);
});

test("rates_stop: no answer, from one or from all; rates_go: all is as before", async () => {
  await control("rates_stop", "kraken");
  const { readings, problems } = await readAll();
  expect(market(readings)).toMatchObject({ sources: ["coinbase", "coingecko"] });
  expect(new Set(problems)).toEqual(new Set(["kraken: the connection was closed before a response"]));
  await control("rates_stop");
  expect((await readAll()).readings).toEqual([]);
  await control("rates_go");
  expect((await readAll()).problems).toEqual([]);
});

test("rates_freeze: constant rates, with an old time from sources that report one", async () => {
  await control("rates_freeze");
  const before = (await readAll()).readings;
  nowMs += 660_000;
  const after = (await readAll()).readings;
  expect(after.map(({ rate }) => rate)).toEqual(before.map(({ rate }) => rate));
  const { sources } = market(after) as { sources: string[] };
  expect(sources).toEqual(["coinbase", "kraken"]);
});

test("rates_jump: so many times what it was, and the service leaves it out", async () => {
  await control("rates_jump", "coinbase", 3);
  expect(market((await readAll()).readings)).toMatchObject({ leftOut: ["coinbase"], sources: ["kraken", "coingecko"] });
});

test("an invalid call is refused with a message", async () => {
  await expect(control("rates_nothing")).rejects.toThrow("Method not found");
  await expect(control("rates_stop", "unknown")).rejects.toThrow("Invalid params");
  await expect(control("rates_jump", "kraken", -1)).rejects.toThrow("Invalid params");
  expect((await fetch(server.controlUrl.replace("control", "elsewhere"))).status).toBe(404);
});
