import { expect, test } from "vitest";
import { callsText, checkHealth, endpointsText, type NetworkHealth } from "@/components/dashboard/home/network-panel";
import { translator } from "@/testing/in-english";

const t = translator("networks");

const now = new Date("2026-03-01T10:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const live = {
  network: "bsc",
  height: 100,
  blockTime: ago(2),
  headHeight: 102,
  respondedAt: ago(1),
  closedAt: null,
  problem: null,
  warning: null,
  unreadable: 0,
  endpoints: [],
  uses: [],
};

test("a closed network is shown as closed, regardless of its problem", () => {
  const closed = { ...live, closedAt: ago(3_600), problem: "No endpoint answers", respondedAt: ago(7_200) };
  expect(checkHealth(closed, now, t)).toEqual({ tone: "neutral", text: "Closed" });
});

test("a network is live, behind, silent, failing or not watched", () => {
  const check = (changes: Partial<typeof live>) => checkHealth({ ...live, ...changes }, now, t).text;
  expect(check({})).toBe("Live, 2 behind");
  expect(check({ height: 102 })).toBe("Live");
  expect(check({ headHeight: 1_400 })).toBe("1,300 blocks behind");
  expect(check({ respondedAt: ago(121) })).toBe("No response");
  expect(checkHealth({ ...live, problem: "wrong chain" }, now, t).text).toBe("Problem");
  expect(checkHealth({ ...live, height: null, blockTime: null }, now, t).text).toBe("Finding the starting position");
  expect(checkHealth({ ...live, respondedAt: null }, now, t).text).toBe("Not read yet");
});

test("a network with a warning, or with an endpoint that is failing, is not live; errors that were resolved are not shown", () => {
  const failed = (seconds: number) => [
    { name: "rpc.example", errors: 2, last: { kind: "http", message: "503", at: ago(seconds).toISOString() } },
  ];
  const check = (changes: Partial<NetworkHealth>) => checkHealth({ ...live, ...changes }, now, t);
  const warning = { tone: "warn", text: "Warning" };
  expect(check({ warning: "Only one endpoint" })).toEqual(warning);
  expect(check({ unreadable: 1 })).toEqual(warning);
  expect(check({ endpoints: failed(299) })).toEqual(warning);
  expect(check({ endpoints: failed(301) }).tone).toBe("good");
});

test("errors of endpoints are counted", () => {
  const endpoint = (errors: number) => ({ name: "rpc.example", errors, last: null });
  expect(endpointsText([endpoint(1)], t)).toBe("The endpoint failed: 1 error in the last hour");
  expect(endpointsText([endpoint(0), endpoint(1_200)], t)).toBe(
    "1 of 2 endpoints failed: 1,200 errors in the last hour",
  );
});

test("today's calls are shown for the network, and for each endpoint with its budget", () => {
  const use = {
    network: "bsc",
    endpoint: "one.example",
    today: 1_200,
    thisMonth: 9_000,
    errorsToday: 0,
    state: "free",
  } as const;
  expect(callsText([{ ...use, budget: {} }], t)).toEqual(["1,200 calls today"]);
  const two = { ...use, endpoint: "two.example", today: 1, errorsToday: 1, budget: {} };
  expect(callsText([{ ...use, budget: { perDay: 10_000, perMonth: 100_000 } }, two], t)).toEqual([
    "1,201 calls today, 1 failed",
    "one.example: 1,200 calls today · 12.0% of 10,000 a day · 9.0% of 100,000 a month",
    "two.example: 1 call today, 1 failed",
  ]);
});
