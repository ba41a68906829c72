import { expect, test } from "vitest";
import {
  isCoolingDown,
  isUnable,
  mustProbe,
  newEndpoint,
  noteChainId,
  noteError,
  noteSuccess,
  rank,
} from "@/lib/chains/endpoints/endpoint";
import { ChainError } from "@/lib/chains/endpoints/source";
import { endpointNames } from "@/lib/domain/networks/health";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);
const down = new ChainError("unavailable", "down");

test("endpoints are ordered: up to date, lagging, contradicting; slow before failing", () => {
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

test("the cool-down doubles with every error up to half a minute, and a success ends it", () => {
  const endpoint = newEndpoint("http://node");
  const waits: number[] = [];
  for (let error = 0; error < 9; error++) {
    noteError(endpoint, down, undefined, 0, at(0));
    waits.push((endpoint.availableAt?.getTime() ?? 0) - at(0).getTime());
  }
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  noteSuccess(endpoint, 10);
  expect(isCoolingDown(endpoint, at(0))).toBe(false);
});

test("a Retry-After longer than the cool-down is kept", () => {
  const endpoint = newEndpoint("http://node");
  noteError(endpoint, new ChainError("rateLimited", "429", { retryAfterMs: 90_000 }), undefined, 0, at(0));
  expect(isCoolingDown(endpoint, at(89))).toBe(true);
  expect(isCoolingDown(endpoint, at(90))).toBe(false);
});

const tooLarge = new ChainError("rangeTooLarge", "limit");
const refused = new ChainError("refused", "HTTP 403");
const hang = new ChainError("unavailable", "no answer", { cause: new DOMException("", "TimeoutError") });

/** Returns the durations in seconds of several equal back-offs. Each begins when the previous one ends. */
function backOffs(count: number, teach: (second: number) => void, isBelievedAt: (second: number) => boolean): number[] {
  const lengths: number[] = [];
  let second = 0;
  for (let round = 0; round < count; round++) {
    teach(second);
    const from = second;
    while (isBelievedAt(second) && second - from < 10_000) second += 1;
    lengths.push(second - from);
  }
  return lengths;
}

test("a refused range is not requested again for a while, a smaller one is, without a cool-down", () => {
  const endpoint = newEndpoint("http://node");
  noteError(endpoint, tooLarge, "logs", 2_000, at(0));
  expect(isCoolingDown(endpoint, at(0))).toBe(false);
  expect(isUnable(endpoint, "logs", 2_000, at(1))).toBe(true);
  expect(isUnable(endpoint, "logs", 1_999, at(1))).toBe(false);
  expect(isUnable(endpoint, "logs", 2_000, at(5))).toBe(false);
});

test("a refused method is skipped for seconds at first, and twice as long with each refusal, up to ten minutes", () => {
  const capped = newEndpoint("http://a");
  const lacking = newEndpoint("http://b");
  const strange = newEndpoint("http://c");
  const growing = [5, 10, 20, 40, 80, 160, 320, 600, 600];
  const ofRange = backOffs(
    9,
    (second) => noteError(capped, tooLarge, "logs", 50, at(second)),
    (second) => isUnable(capped, "logs", 50, at(second)),
  );
  const ofFeature = backOffs(
    9,
    (second) => noteError(lacking, refused, "logsByHash", 1, at(second)),
    (second) => isUnable(lacking, "logsByHash", 1, at(second)),
  );
  const ofChain = backOffs(
    9,
    (second) => noteChainId(strange, "56", "1", at(second)),
    (second) => !mustProbe(strange, "1", at(second)),
  );
  expect([ofRange, ofFeature, ofChain]).toEqual([growing, growing, growing]);
});

test("a refusal is forgotten when the same call succeeds, and by no other response", () => {
  const endpoint = newEndpoint("http://node");
  for (const second of [0, 5, 15]) noteError(endpoint, tooLarge, "logs", 50, at(second));
  for (const second of [0, 5, 15]) noteError(endpoint, refused, "logsByHash", 1, at(second));
  noteSuccess(endpoint, 10, "logs", 49);
  noteSuccess(endpoint, 10);
  expect(isUnable(endpoint, "logs", 50, at(16))).toBe(true);
  expect(isUnable(endpoint, "logsByHash", 1, at(16))).toBe(true);
  noteSuccess(endpoint, 10, "logs", 50);
  noteSuccess(endpoint, 10, "logsByHash", 1);
  expect(isUnable(endpoint, "logs", 50, at(16))).toBe(false);
  expect(isUnable(endpoint, "logsByHash", 1, at(16))).toBe(false);
  noteError(endpoint, tooLarge, "logs", 50, at(17));
  noteError(endpoint, refused, "logsByHash", 1, at(17));
  expect(isUnable(endpoint, "logs", 50, at(22))).toBe(false);
  expect(isUnable(endpoint, "logsByHash", 1, at(22))).toBe(false);
});

test("searching for the range that it takes is one back-off, however many ranges were tried", () => {
  const endpoint = newEndpoint("http://node");
  for (const blocks of [2_000, 1_000, 500, 250, 125]) noteError(endpoint, tooLarge, "logs", blocks, at(0));
  expect(isUnable(endpoint, "logs", 125, at(4))).toBe(true);
  expect(isUnable(endpoint, "logs", 124, at(4))).toBe(false);
  expect(isUnable(endpoint, "logs", 2_000, at(5))).toBe(false);
});

test("a timeout starts a cool-down, and counts as a range that is too large for at most a minute", () => {
  const endpoint = newEndpoint("http://node");
  const lengths = backOffs(
    6,
    (second) => noteError(endpoint, hang, "logs", 50, at(second)),
    (second) => isUnable(endpoint, "logs", 50, at(second)),
  );
  expect(lengths).toEqual([5, 10, 20, 40, 60, 60]);
  expect(isCoolingDown(endpoint, at(lengths.reduce((sum, length) => sum + length, 0) - 60))).toBe(true);
});

test.each(["refused", "rangeTooLarge"] as const)("a range that is %s is too wide, with any message", (kind) => {
  const endpoint = newEndpoint("http://node");
  noteError(endpoint, new ChainError(kind, "eth_getLogs: plan does not include this"), "logs", 2_000, at(0));
  expect(isUnable(endpoint, "logs", 2_000, at(1))).toBe(true);
  expect(isUnable(endpoint, "logs", 1_000, at(1))).toBe(false);
  noteError(endpoint, new ChainError(kind, "eth_getLogs: plan does not include this"), "logs", 1, at(1));
  expect(isUnable(endpoint, "logs", 1, at(2))).toBe(true);
});

test("a refused method is skipped, and all others are still called", () => {
  const endpoint = newEndpoint("http://node");
  noteError(endpoint, new ChainError("refused", "method not found"), "logsByHash", 1, at(0));
  expect(isUnable(endpoint, "logsByHash", 1, at(1))).toBe(true);
  expect(isUnable(endpoint, "logs", 1, at(1))).toBe(false);
  expect(isUnable(endpoint, undefined, 0, at(1))).toBe(false);
});

test("its chain id is read before it is used, after errors, and now and then when it was wrong", () => {
  const endpoint = newEndpoint("http://node");
  expect(mustProbe(endpoint, "1", at(0))).toBe(true);
  noteChainId(endpoint, "1", "1", at(0));
  expect(mustProbe(endpoint, "1", at(29))).toBe(false);
  expect(mustProbe(endpoint, "1", at(30))).toBe(true);
  for (let error = 0; error < 5; error++) noteError(endpoint, down, undefined, 0, at(0));
  expect(mustProbe(endpoint, "1", at(1))).toBe(true);
  endpoint.errors = 0;
  noteChainId(endpoint, "56", "1", at(0));
  expect(mustProbe(endpoint, "1", at(4))).toBe(false);
  expect(mustProbe(endpoint, "1", at(5))).toBe(true);
  noteChainId(endpoint, "1", "1", at(5));
  expect(mustProbe(endpoint, "1", at(6))).toBe(false);
});

test("a response that proves the network replaces its chain id, as do responses that are verified later; every ten minutes it is read anyway", () => {
  const endpoint = newEndpoint("http://node");
  expect(mustProbe(endpoint, "1", at(0), true)).toBe(true);
  noteChainId(endpoint, "1", "1", at(0));
  expect(mustProbe(endpoint, "1", at(599), true)).toBe(false);
  expect(mustProbe(endpoint, "1", at(600), true)).toBe(true);
  endpoint.tiedAt = at(590);
  expect(mustProbe(endpoint, "1", at(599))).toBe(false);
  expect(mustProbe(endpoint, "1", at(600))).toBe(true);
  for (let error = 0; error < 5; error++) noteError(endpoint, down, undefined, 0, at(590));
  expect(mustProbe(endpoint, "1", at(591), true)).toBe(true);
});

test("people and logs see its host, never its path", () => {
  expect(newEndpoint("https://rpc.example.com/v3/secret").name).toBe("rpc.example.com");
});

test("endpoints of one host are distinguished by number", () => {
  expect(endpointNames(["https://a.example/1", "https://b.example/", "https://a.example/2"])).toEqual([
    "a.example",
    "b.example",
    "a.example (2)",
  ]);
});
