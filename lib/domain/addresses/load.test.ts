import { expect, test } from "vitest";
import { addressLoad, poolsOf } from "@/lib/domain/addresses/load";

const now = new Date("2026-03-01T10:00:00Z");
const hour = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const idle = {
  kind: "dedicated" as const,
  network: "bsc",
  liveQuotes: 0,
  openOrders: 0,
  availableAt: new Date(0),
  reservedUntil: null,
  pausedAt: null,
};

test("a dedicated address is idle, serves one order, then cools down until its late window is over", () => {
  expect(addressLoad(idle, now)).toEqual({ state: "idle" });
  const serving = { ...idle, liveQuotes: 1, openOrders: 1, availableAt: hour(3), reservedUntil: hour(3) };
  expect(addressLoad(serving, now)).toEqual({ state: "serving" });
  const settled = { ...serving, openOrders: 0 };
  expect(addressLoad(settled, now)).toEqual({ state: "coolingDown", until: hour(3) });
  expect(addressLoad(settled, hour(4))).toEqual({ state: "coolingDown", until: hour(3) });
  expect(addressLoad({ ...idle, availableAt: hour(3) }, hour(3))).toEqual({ state: "idle" });
});

test("a shared address always takes orders", () => {
  expect(addressLoad({ ...idle, kind: "shared", liveQuotes: 5 }, now)).toEqual({ state: "idle" });
});

test("a pool counts the states of its addresses by network", () => {
  const addresses = [
    idle,
    { ...idle, pausedAt: now },
    { ...idle, availableAt: hour(1) },
    { ...idle, kind: "shared" as const },
    { ...idle, network: "ethereum", openOrders: 1, liveQuotes: 1 },
  ];
  expect(poolsOf(addresses, now)).toEqual([
    { network: "bsc", idle: 1, serving: 0, coolingDown: 1, permanent: 0, paused: 1 },
    { network: "ethereum", idle: 0, serving: 1, coolingDown: 0, permanent: 0, paused: 0 },
  ]);
});
