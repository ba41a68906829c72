import { expect, test } from "vitest";
import { behindProblem, type NetworkWatch } from "@/lib/domain/networks/health";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 12) + seconds * 1_000);
const network = { name: "Ethereum", blockMs: 12_000 };
const fine: NetworkWatch = { caughtUpAt: at(0), respondedAt: at(0), headTime: at(-5), watchedSince: at(-900) };

test("a network that was read to its head within three minutes is fine", () => {
  expect(behindProblem(network, fine, at(179))).toBeNull();
});

test("a network that responds but is not read to its head is behind", () => {
  expect(behindProblem(network, { ...fine, respondedAt: at(200) }, at(200))).toBe(
    "Reads of Ethereum have been behind its head since 2026-01-01 12:00 UTC. Payments will be detected as reading continues.",
  );
});

test("a network that does not respond is silent, and the message does not change every minute", () => {
  const note = behindProblem(network, fine, at(200));
  expect(note).toMatch(/^No endpoint of Ethereum has given a valid response since 2026-01-01 12:00 UTC\./);
  expect(behindProblem(network, fine, at(900))).toBe(note);
});

test("a network that never responded has three minutes from the start of the worker", () => {
  const never = { ...fine, caughtUpAt: null, respondedAt: null, headTime: null, watchedSince: at(0) };
  expect(behindProblem(network, never, at(179))).toBeNull();
  expect(behindProblem(network, never, at(180))).toMatch(/since 2026-01-01 12:00 UTC/);
});

test("a network during its first catch-up is behind, though it responds", () => {
  const busy = { ...fine, caughtUpAt: null, respondedAt: at(300), headTime: at(299), watchedSince: at(0) };
  expect(behindProblem(network, busy, at(300))).toMatch(/behind its head/);
});

test("endpoints whose newest block is twenty blocks old no longer follow the chain, though they respond", () => {
  const frozen = { ...fine, caughtUpAt: at(240), respondedAt: at(240), headTime: at(0) };
  expect(behindProblem(network, frozen, at(239))).toBeNull();
  expect(behindProblem(network, frozen, at(240))).toMatch(/newest block .* is from 2026-01-01 12:00 UTC/);
  expect(behindProblem({ ...network, blockMs: 450 }, frozen, at(180))).toMatch(/no longer follow the chain/);
});

test("a worker that has just started waits before it reports a halted chain", () => {
  const started = { ...fine, caughtUpAt: at(5_000), respondedAt: at(5_000), headTime: at(0), watchedSince: at(5_000) };
  expect(behindProblem(network, started, at(5_001))).toBeNull();
});

test("too few endpoints that agree on a payment are a problem after three minutes, while a payment waits for them", () => {
  const miss = (since: number, last: number) => ({
    ...fine,
    quorumMiss: { quorum: 2, since: at(since), at: at(last) },
  });
  expect(behindProblem(network, miss(0, 170), at(179))).toBeNull();
  expect(behindProblem(network, { ...miss(0, 175), caughtUpAt: at(175), respondedAt: at(175) }, at(180))).toMatch(
    /^Fewer than 2 endpoints of \w+ have agreed on a payment since/,
  );
  expect(behindProblem(network, { ...miss(0, 100), caughtUpAt: at(175), respondedAt: at(175) }, at(180))).toBeNull();
});

test("a halted chain is distinguished from lagging endpoints, and from one that cannot be compared", () => {
  const still = { ...fine, caughtUpAt: at(900), respondedAt: at(900), headTime: at(0) };
  const note = (heads: number[]) => behindProblem(network, { ...still, heads }, at(900));
  expect(note([41, 41])).toMatch(/^Ethereum has halted: all its endpoints .* Open orders stay open/);
  expect(note([41])).toMatch(/the chain has halted, or the endpoint no longer follows it\. Open orders stay open/);
  expect(note([41, 40])).toMatch(/they no longer follow the chain\.$/);
  expect(note([])).toMatch(/they no longer follow the chain\.$/);
  expect(behindProblem(network, { ...still, headTime: at(899), heads: [42, 42] }, at(900))).toBeNull();
});

test("a chain on which nothing becomes final takes no orders, though its head moves on", () => {
  const moving = { ...fine, caughtUpAt: at(900), respondedAt: at(900), headTime: at(899) };
  expect(behindProblem(network, { ...moving, finalizedAt: at(661) }, at(900))).toBeNull();
  expect(behindProblem(network, { ...moving, finalizedAt: at(660) }, at(900))).toMatch(
    /^No block of Ethereum has become final since 2026-01-01 12:11 UTC, .* Payments are detected but not confirmed/,
  );
  expect(behindProblem(network, { ...moving, finalizedAt: null }, at(900))).toBeNull();
});
