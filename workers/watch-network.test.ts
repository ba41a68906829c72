import { expect, test } from "vitest";
import { createEndpointLog } from "@/workers/endpoint-log";

let minute = 0;
const now = () => new Date(Date.UTC(2026, 2, 1, 10, minute));
const endpointError = { endpoint: "one.example:8545", kind: "rateLimited", message: "HTTP 429" } as const;

test("failed calls are counted by endpoint for an hour; the last one stays known", () => {
  minute = 0;
  const log = createEndpointLog(["http://one.example:8545/key", "https://two.example/"], now);
  log.note(endpointError);
  log.note(endpointError);
  minute = 30;
  log.note({ ...endpointError, kind: "unavailable", message: "x".repeat(1_000) });
  const last = { kind: "unavailable", message: "x".repeat(200), at: "2026-03-01T10:30:00.000Z" };
  expect(log.read()).toEqual([
    { name: "one.example:8545", errors: 3, last },
    { name: "two.example", errors: 0, last: null },
  ]);
  minute = 60;
  expect(log.read()[0]).toMatchObject({ errors: 1, last });
  minute = 90;
  expect(log.read()[0]).toMatchObject({ errors: 0, last });
});

test("how many blocks a node takes at once is not counted as an error", () => {
  minute = 0;
  const log = createEndpointLog(["http://one.example:8545/key"], now);
  log.note({ ...endpointError, kind: "rangeTooLarge", message: "eth_getLogs is limited to a 10 block range" });
  expect(log.read()).toEqual([{ name: "one.example:8545", errors: 0, last: null }]);
});

test("the path of an endpoint, which may contain an API key, is not disclosed", () => {
  expect(JSON.stringify(createEndpointLog(["https://rpc.example/v2/SECRET"], now).read())).not.toContain("SECRET");
});
