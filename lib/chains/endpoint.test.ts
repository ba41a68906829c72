import { expect, test } from "vitest";
import {
  endpointNames,
  isResting,
  isUnable,
  mustProbe,
  newEndpoint,
  noteError,
  noteSuccess,
  rank,
} from "@/lib/chains/endpoint";
import { ChainError } from "@/lib/chains/source";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);
const down = new ChainError("unavailable", "down");

test("who errs is asked after who is slow, who contradicts after who lags, who lags after who does not", () => {
  const [good, slow, lagging, doubted, failing] = ["a", "b", "c", "d", "e"].map((name) =>
    newEndpoint(`http://${name}`),
  );
  if (!good || !slow || !lagging || !doubted || !failing) throw new Error("unreachable");
  for (const endpoint of [good, slow, doubted, failing]) endpoint.height = 100;
  noteSuccess(slow, 3_000);
  lagging.height = 60;
  noteError(doubted, new ChainError("inconsistent", "?"), undefined, 0, at(0));
  noteError(failing, down, undefined, 0, at(0));
  const order = [failing, doubted, lagging, slow, good].sort((a, b) => rank(a, 100, at(1)) - rank(b, 100, at(1)));
  expect(order.map(({ name }) => name)).toEqual(["a", "b", "c", "d", "e"]);
});

test("rest doubles with every error up to half a minute, and ends with a success", () => {
  const endpoint = newEndpoint("http://node");
  const rests: number[] = [];
  for (let error = 0; error < 9; error++) {
    noteError(endpoint, down, undefined, 0, at(0));
    rests.push((endpoint.restsUntil?.getTime() ?? 0) - at(0).getTime());
  }
  expect(rests).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  noteSuccess(endpoint, 10);
  expect(isResting(endpoint, at(0))).toBe(false);
});

test("a Retry-After longer than the rest is kept", () => {
  const endpoint = newEndpoint("http://node");
  noteError(endpoint, new ChainError("rateLimited", "429", { retryAfterMs: 90_000 }), undefined, 0, at(0));
  expect(isResting(endpoint, at(89))).toBe(true);
  expect(isResting(endpoint, at(90))).toBe(false);
});

test("a range it refused is not asked again for ten minutes, a smaller one is; it need not rest", () => {
  const endpoint = newEndpoint("http://node");
  noteError(endpoint, new ChainError("rangeTooLarge", "limit"), "logs", 2_000, at(0));
  expect(isResting(endpoint, at(0))).toBe(false);
  expect(isUnable(endpoint, "logs", 2_000, at(1))).toBe(true);
  expect(isUnable(endpoint, "logs", 1_999, at(1))).toBe(false);
  expect(isUnable(endpoint, "logs", 2_000, at(601))).toBe(false);
});

test.each(["refused", "rangeTooLarge"] as const)("a range that is %s is one too wide, in whatever words", (kind) => {
  const endpoint = newEndpoint("http://node");
  noteError(endpoint, new ChainError(kind, "eth_getLogs: plan does not include this"), "logs", 2_000, at(0));
  expect(isUnable(endpoint, "logs", 2_000, at(1))).toBe(true);
  expect(isUnable(endpoint, "logs", 1_000, at(1))).toBe(false);
  noteError(endpoint, new ChainError(kind, "eth_getLogs: plan does not include this"), "logs", 1, at(1));
  expect(isUnable(endpoint, "logs", 1, at(2))).toBe(true);
});

test("what it refuses to do is left out, everything else is still asked of it", () => {
  const endpoint = newEndpoint("http://node");
  noteError(endpoint, new ChainError("refused", "method not found"), "logsByHash", 1, at(0));
  expect(isUnable(endpoint, "logsByHash", 1, at(1))).toBe(true);
  expect(isUnable(endpoint, "logs", 1, at(1))).toBe(false);
  expect(isUnable(endpoint, undefined, 0, at(1))).toBe(false);
});

test("its chain id is read before it is believed, after trouble, and now and then when it was wrong", () => {
  const endpoint = newEndpoint("http://node");
  expect(mustProbe(endpoint, "1", at(0))).toBe(true);
  endpoint.chainId = "1";
  endpoint.chainIdReadAt = at(0);
  expect(mustProbe(endpoint, "1", at(10_000))).toBe(false);
  for (let error = 0; error < 5; error++) noteError(endpoint, down, undefined, 0, at(0));
  expect(mustProbe(endpoint, "1", at(1))).toBe(true);
  endpoint.errors = 0;
  endpoint.chainId = "56";
  expect(mustProbe(endpoint, "1", at(599))).toBe(false);
  expect(mustProbe(endpoint, "1", at(600))).toBe(true);
});

test("people and logs see its host, never its path", () => {
  expect(newEndpoint("https://rpc.example.com/v3/secret").name).toBe("rpc.example.com");
});

test("endpoints of one host are told apart by number", () => {
  expect(endpointNames(["https://a.example/1", "https://b.example/", "https://a.example/2"])).toEqual([
    "a.example",
    "b.example",
    "a.example (2)",
  ]);
});
