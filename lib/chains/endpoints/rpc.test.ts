import { describe, expect, test } from "vitest";
import { kindOfHttpStatus, kindOfRpcError, readRetryAfter } from "@/lib/chains/endpoints/rpc";

describe("the messages of nodes for a log query that is too large", () => {
  test.each([
    [-32005, "query returned more than 10000 results. Try with this block range [0x1, 0x2]."],
    [-32005, "limit exceeded"],
    [-32602, "exceed maximum block range: 5000"],
    [-32602, "block range is too wide"],
    [-32600, "Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range."],
    [-32000, "eth_getLogs is limited to a 1000 range"],
    [-32614, "eth_getLogs is limited to 0 - 10 blocks range"],
    [-32000, "query timeout exceeded"],
    [-32000, "context deadline exceeded"],
    [-32602, "exceed max topics: 1000"],
    [-32008, "Response is too big"],
    [35, "ranges over 10000 blocks are not supported on freetier"],
  ])("%i %s", (code, message) => {
    expect(kindOfRpcError("eth_getLogs", code, message)).toBe("rangeTooLarge");
  });
});

test.each([
  [-32005, "daily request count exceeded, request rate limited"],
  [-32029, "Too Many Requests"],
  [429, "Your app has exceeded its compute units per second capacity"],
  [-32000, "project ID request rate exceeded: rate limit"],
])("%i %s: asks for fewer calls, not for smaller ones", (code, message) => {
  expect(kindOfRpcError("eth_getLogs", code, message)).toBe("rateLimited");
  expect(kindOfRpcError("eth_blockNumber", code, message)).toBe("rateLimited");
});

test.each([
  [-32000, "unknown block"],
  [-32602, "invalid blockHash"],
  [-32000, "header not found"],
  [-32602, "block range extends beyond current head block"],
  [-32000, "One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found: block not found"],
  [-32000, "cannot query unfinalized data: requested block 5 is after last accepted block 4"],
])("%i %s: this node lags", (code, message) => {
  expect(kindOfRpcError("eth_getLogs", code, message)).toBe("inconsistent");
});

test.each([
  [-32601, "the method eth_getLogs does not exist/is not available"],
  [-32004, "Method not supported"],
  [-32000, "Archive requests require a personal token"],
])("%i %s: will never do it", (code, message) => {
  expect(kindOfRpcError("eth_getLogs", code, message)).toBe("refused");
});

test("a timeout of a call that cannot be made smaller is a failure", () => {
  expect(kindOfRpcError("eth_blockNumber", -32000, "request timeout")).toBe("unavailable");
  expect(kindOfHttpStatus("eth_blockNumber", 504)).toBe("unavailable");
  expect(kindOfHttpStatus("eth_getLogs", 504)).toBe("rangeTooLarge");
});

test.each([
  [429, "rateLimited"],
  [403, "refused"],
  [401, "refused"],
  [500, "unavailable"],
  [200, "unavailable"],
])("HTTP %i without a JSON-RPC answer is %s", (status, kind) => {
  expect(kindOfHttpStatus("eth_blockNumber", status)).toBe(kind);
});

test("Retry-After is read as seconds or as a date, limited to ten minutes", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  expect(readRetryAfter("7", now)).toBe(7_000);
  expect(readRetryAfter("Thu, 01 Jan 2026 00:00:09 GMT", now)).toBe(9_000);
  expect(readRetryAfter("Wed, 31 Dec 2025 00:00:00 GMT", now)).toBe(0);
  expect(readRetryAfter("86400", now)).toBe(600_000);
  expect(readRetryAfter("soon", now)).toBeNull();
  expect(readRetryAfter(null, now)).toBeNull();
});
