import pino from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { HeadSocketOptions } from "@/lib/chains/endpoints/head-socket";
import { EVM_PROTOCOL } from "@/lib/chains/evm/protocol";
import { createHeadWakes, type HeadEvent, type HeadWakes } from "@/workers/head-wakes";

const PACE = { apartMs: 250, blockMs: 12_000 };
const MINUTE_MS = 60_000;
const { heads } = EVM_PROTOCOL;

let sockets: (HeadSocketOptions & { isOpen: boolean })[];
let woken: number;
let events: HeadEvent[];
let wakes: HeadWakes;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-01-01T12:00:00Z") });
  [sockets, woken, events] = [[], 0, []];
  if (!heads) throw new Error("EVM nodes announce blocks");
  wakes = createHeadWakes({
    network: "ethereum",
    sockets: [{ name: "one.example", url: "wss://one.example", headers: {} }],
    heads,
    log: pino({ level: "silent" }),
    now: () => new Date(),
    wake: () => {
      woken += 1;
    },
    count: (event) => events.push(event),
    open: (options) => {
      const socket = { ...options, isOpen: true };
      sockets.push(socket);
      return {
        isSubscribed: () => socket.isOpen,
        close: () => {
          socket.isOpen = false;
        },
      };
    },
  });
  wakes.follow(true);
  round(100);
  vi.advanceTimersByTime(PACE.apartMs);
});

afterEach(() => {
  wakes.close();
  vi.useRealTimers();
});

function round(height: number): void {
  wakes.begin();
  wakes.end(height, PACE);
}

function announce(height: number | null): void {
  sockets.at(-1)?.onHead(height);
  vi.advanceTimersByTime(0);
}

test("an announced block wakes the loop at once, a block that was read already does not", () => {
  announce(101);
  expect(woken).toBe(1);
  round(101);
  announce(101);
  announce(99);
  vi.advanceTimersByTime(MINUTE_MS);
  expect(woken).toBe(1);
  announce(null);
  expect(woken).toBe(2);
});

test("many announcements wake the loop no more often than its pace allows, and none is lost", () => {
  for (let height = 101; height < 200; height++) announce(height);
  expect(woken).toBe(1);
  round(199);
  for (let height = 200; height < 300; height++) announce(height);
  expect(woken).toBe(1);
  vi.advanceTimersByTime(PACE.apartMs);
  expect(woken).toBe(2);
});

test("an endpoint that does not have an announced block yet is asked again, at longer and longer intervals", () => {
  announce(101);
  round(100);
  vi.advanceTimersByTime(300);
  expect(woken).toBe(2);
  round(100);
  vi.advanceTimersByTime(300);
  expect(woken).toBe(2);
  vi.advanceTimersByTime(300);
  expect(woken).toBe(3);
  round(101);
  vi.advanceTimersByTime(MINUTE_MS);
  expect(woken).toBe(3);
});

test("false announcements are ignored for a minute after eight reads, then for longer", () => {
  for (let height = 1_000, read = 0; height < 1_100; height++) {
    announce(height);
    vi.advanceTimersByTime(3_000);
    if (woken > read) round(100);
    read = woken;
  }
  expect(events.filter((event) => event === "distrusted").length).toBeGreaterThan(1);
  // In five minutes, the network would have been read three hundred times at its pace of polling.
  expect(woken).toBeLessThan(40);
  expect(wakes.isLive()).toBe(false);
});

test("a few false announcements between any two blocks are not tolerated either", () => {
  for (let height = 101; height < 106; height++) {
    for (let read = 0; read < 7; read++) {
      announce(1_000_000);
      vi.advanceTimersByTime(PACE.apartMs);
      round(height - 1);
    }
    announce(height);
    round(height);
    vi.advanceTimersByTime(PACE.blockMs);
  }
  expect(events).toContain("distrusted");
});

test("faults that are hours apart cost a minute each, repeated ones cost more", () => {
  const distrust = () => {
    announce(200);
    for (let read = 0; read < 8; read++) round(100);
    announce(201);
    const before = woken;
    vi.advanceTimersByTime(MINUTE_MS);
    announce(202);
    return woken > before ? "a minute" : "longer";
  };
  expect(distrust()).toBe("a minute");
  expect(distrust()).toBe("longer");
  vi.advanceTimersByTime(3 * 60 * MINUTE_MS);
  expect(distrust()).toBe("a minute");
});

test("several endpoints that announce a block cause one read of it, whenever they do", () => {
  announce(101);
  announce(101);
  wakes.begin();
  announce(101);
  wakes.end(101, PACE);
  announce(101);
  vi.advanceTimersByTime(MINUTE_MS);
  expect(woken).toBe(1);
});

test("a block that is announced while a round reads the one before is read in the next round", () => {
  announce(101);
  wakes.begin();
  announce(102);
  wakes.end(101, PACE);
  expect(woken).toBe(1);
  vi.advanceTimersByTime(PACE.apartMs);
  expect(woken).toBe(2);
});

test("the wait for an endpoint that lags does not delay the read of a later block", () => {
  announce(1_000);
  for (const waitMs of [300, 600, 1_200, 2_400]) {
    round(100);
    vi.advanceTimersByTime(waitMs);
  }
  round(100);
  vi.advanceTimersByTime(PACE.apartMs);
  const before = woken;
  announce(101);
  expect(woken).toBe(before + 1);
});

test("announcements of blocks that were read already do not postpone the next read", () => {
  for (let height = 101; height < 110; height++) {
    round(height);
    announce(height);
    announce(height - 50);
    expect(wakes.isLive()).toBe(false);
  }
  expect([woken, events.includes("distrusted")]).toEqual([0, false]);
});

test("a clock that is set back by an hour delays no read", () => {
  round(100);
  vi.setSystemTime(Date.now() - 60 * MINUTE_MS);
  announce(101);
  vi.advanceTimersByTime(PACE.apartMs);
  expect(woken).toBe(1);
});

test("a notification that arrives after the sockets were closed wakes nothing", () => {
  const [socket] = sockets;
  wakes.close();
  socket?.onHead(101);
  vi.advanceTimersByTime(MINUTE_MS);
  expect(woken).toBe(0);
});

test("blocks are live while they are announced in time, and not after three that were not announced", () => {
  expect(wakes.isLive()).toBe(false);
  announce(101);
  round(101);
  expect(wakes.isLive()).toBe(true);
  vi.advanceTimersByTime(3 * PACE.blockMs);
  expect(wakes.isLive()).toBe(false);
  announce(102);
  round(102);
  for (const height of [103, 104]) round(height);
  expect(wakes.isLive()).toBe(true);
  round(105);
  expect(wakes.isLive()).toBe(false);
  expect(events).toContain("distrusted");
});

test("sockets are closed some time after blocks are no longer wanted, and do not wake the loop in the meantime", () => {
  wakes.follow(false);
  announce(101);
  expect(woken).toBe(0);
  vi.advanceTimersByTime(MINUTE_MS);
  wakes.follow(false);
  expect(sockets.at(-1)?.isOpen).toBe(true);
  vi.advanceTimersByTime(2 * MINUTE_MS);
  wakes.follow(false);
  expect(sockets.at(-1)?.isOpen).toBe(false);
  wakes.follow(true);
  expect(sockets).toHaveLength(2);
});

test("a network without announcements is never live and has no cost", () => {
  vi.advanceTimersByTime(MINUTE_MS);
  for (let height = 101; height < 150; height++) round(height);
  expect([woken, wakes.isLive(), events]).toEqual([0, false, []]);
});
