import pino from "pino";
import { expect, test } from "vitest";
import { addressNetwork, clientAddress, createVisitors } from "@/lib/http/visitors";

const now = new Date("2026-03-01T10:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const from = (address: string) => ({ headers: new Headers({ "x-forwarded-for": address }) });
const LIMITS = { viewsPerMinute: 30, streamsPerAddress: 2, isSandbox: false, trustedProxies: 1 };

function visitors(change: Partial<typeof LIMITS> = {}) {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => lines.push(line) });
  return { lines, ...createVisitors({ ...LIMITS, ...change }, log) };
}

test("an address can use a minute's views at once, then one per refill interval", () => {
  const { view, lines } = visitors();
  for (let count = 0; count < 60; count++) expect(view(from("192.0.2.1"), now)).toBe(0);
  expect(view(from("192.0.2.1"), now)).toBe(2);
  expect(view(from("192.0.2.2"), now)).toBe(0);
  expect(view(from("192.0.2.1"), later(2))).toBe(0);
  expect(view(from("192.0.2.1"), later(2))).toBe(2);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("TRUSTED_PROXIES");
});

test("a /64 of IPv6 is one visitor, and entries left of the trusted proxy are ignored", () => {
  const { view } = visitors({ viewsPerMinute: 1 });
  expect([1, 2, 3].map((last) => view(from(`2001:db8:1:2::${last}`), now))).toEqual([0, 0, 60]);
  expect(view(from("2001:db8:1:3::1"), now)).toBe(0);
  expect([1, 2, 3].map((first) => view(from(`10.0.0.${first}, 198.51.100.1`), now))).toEqual([0, 0, 60]);
});

test("an address has so many streams open at a time, and another when one of them ends", () => {
  const { openStream } = visitors();
  const first = openStream(from("192.0.2.1"), now);
  openStream(from("192.0.2.1"), now);
  expect(openStream(from("192.0.2.1"), now)).toEqual({ refused: "address" });
  expect(openStream(from("192.0.2.2"), now)).toHaveProperty("close");
  if ("close" in first) for (let times = 0; times < 2; times++) first.close();
  expect(openStream(from("192.0.2.1"), now)).toHaveProperty("close");
  expect(openStream(from("192.0.2.1"), now)).toEqual({ refused: "address" });
});

test("a process has a maximum of streams for all visitors together", () => {
  const { openStream } = visitors();
  for (let count = 0; count < 10_000; count++) openStream(from(`10.0.${count >> 8}.${count & 255}`), now);
  expect(openStream(from("192.0.2.1"), now)).toEqual({ refused: "process" });
});

test("with limits off, and in the sandbox, all views are permitted", () => {
  for (const change of [{ isSandbox: true }, { viewsPerMinute: null, streamsPerAddress: null }] as object[]) {
    const { view, openStream } = visitors({ viewsPerMinute: 1, streamsPerAddress: 1, ...change });
    for (let count = 0; count < 200; count++) {
      expect(view(from("192.0.2.1"), now)).toBe(0);
      expect(openStream(from("192.0.2.1"), now)).toHaveProperty("close");
    }
  }
});

test("without proxies the last entry counts, which the server itself wrote", () => {
  expect(clientAddress("203.0.113.9", 0)).toBe("203.0.113.9");
});

test("behind proxies the outermost entry counts, not the client's claim", () => {
  expect(clientAddress("1.1.1.1, 203.0.113.9", 1)).toBe("203.0.113.9");
  expect(clientAddress("1.1.1.1, 203.0.113.9, 10.0.0.2", 2)).toBe("203.0.113.9");
});

test("fewer entries than proxies, or none, still identify a visitor", () => {
  expect(clientAddress("203.0.113.9", 3)).toBe("203.0.113.9");
  expect(clientAddress(null, 1)).toBe("unknown");
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:0DB8::9", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("%s counts as %s: a /64 of IPv6 is one household", (address, network) => {
  expect(addressNetwork(address)).toBe(network);
});
