import { expect, test } from "vitest";
import { SMALL_PURSE } from "@/chaos/chains/evm-payers";
import { startEvmChaosChain } from "@/chaos/chains/start-evm-chain";
import { type Fault, passOn } from "@/chaos/faults/fault-proxy";
import { createEvmSource } from "@/lib/chains/evm/source";
import { getNetwork } from "@/lib/domain/networks";
import { useFaultyEndpoints } from "@/testing/faults/endpoint-faults";

const network = getNetwork("ethereum");
const endpoints = useFaultyEndpoints(() => startEvmChaosChain(network, { purse: SMALL_PURSE }));
const SECRET = "sk_live_1234";

const limited =
  (headers: Record<string, string> = {}): Fault =>
  async ({ response }) =>
    void response.writeHead(429, headers).end("Too Many Requests");

test("an endpoint that names a time is left alone until then, and asked again afterwards", async () => {
  const endpoint = await endpoints.endpoint();
  const watched = await endpoints.watch([endpoint.url]);
  endpoint.fault = limited({ "retry-after": "90" });
  await watched.round();
  const asked = endpoint.counts.requests;
  await watched.rounds(16, 5_000);
  expect(endpoint.counts).toMatchObject({ requests: asked, faulted: 1 });
  endpoint.fault = undefined;
  await watched.pay();
  await watched.mine(12);
  await watched.until(watched.isTrue);
});

test("an endpoint without a time is retried after growing delays; its error is displayed without secrets of its URL or headers", async () => {
  const endpoint = await endpoints.endpoint();
  const headers = [{ "x-api-key": SECRET }];
  const watched = await endpoints.watch([`${endpoint.url}/${SECRET}`], { headers });
  endpoint.fault = limited();
  const rounds: number[] = [];
  for (let round = 0; round < 60; round++) {
    const before = endpoint.counts.faulted;
    await watched.round(1_000);
    if (endpoint.counts.faulted > before) rounds.push(round);
  }
  const waits = rounds.slice(1).map((round, index) => round - (rounds[index] ?? 0));
  expect(waits.length).toBeGreaterThan(2);
  expect(waits).toEqual(waits.toSorted((left, right) => left - right));
  const seen = (await watched.cursor())?.endpoints;
  expect(seen).toMatchObject([{ errors: rounds.length, last: { kind: "rateLimited" } }]);
  expect(JSON.stringify(seen)).not.toContain(SECRET);
});

test("a response to a call from before the refusal does not end the cool-down", async () => {
  const endpoint = await endpoints.endpoint();
  const source = createEvmSource(network, { urls: [endpoint.url], now: () => new Date() });
  await source.block({ height: 1 });
  const late = Promise.withResolvers<void>();
  endpoint.fault = async (exchange) => {
    if (exchange.call.params[0] !== "0x2") return limited({ "retry-after": "600" })(exchange);
    await late.promise;
    return passOn(exchange);
  };
  const first = source.block({ height: 2 });
  await expect(source.block({ height: 3 })).rejects.toMatchObject({ kind: "rateLimited" });
  late.resolve();
  expect(await first).toMatchObject({ height: 2 });
  await expect(source.block({ height: 3 })).rejects.toThrow(/cooling down after errors/);
  expect(endpoint.counts.faulted).toBe(2);
});
