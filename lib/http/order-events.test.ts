import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OrderEvents } from "@/lib/http/order-events";
import type { OrderWatcher } from "@/lib/orders/order-changes";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openEvents() {
  const watchers = new Set<OrderWatcher>();
  const changes = {
    watch: (_orderId: string, watcher: OrderWatcher) => {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    close: () => {},
  };
  const client = new AbortController();
  const events = new OrderEvents(changes, "order", client.signal);
  return { events, watchers, client };
}

test("versions are told in rising order only, each once", async () => {
  const { events } = openEvents();
  for (const version of [3, 3, 2, 5, 4]) events.changed(version);
  events.closed();
  const text = await events.answer().text();
  expect(text.match(/^data: .*$/gm)).toEqual(["data: 3", "data: 5"]);
  expect(text).toContain("retry: 3000");
});

test("a heartbeat goes out every 15 s, and stops with the stream", async () => {
  const { events, client } = openEvents();
  vi.advanceTimersByTime(45_000);
  client.abort();
  expect(vi.getTimerCount()).toBe(0);
  expect((await events.answer().text()).match(/event: ping/g)).toHaveLength(3);
});

test("a client that is gone is forgotten", async () => {
  const left = openEvents();
  left.client.abort();
  expect(left.watchers.size).toBe(0);
  const cancelled = openEvents();
  await cancelled.events.answer().body?.cancel();
  expect(cancelled.watchers.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  cancelled.events.changed(9);
});

test("a client that stops reading is cut off, so that it cannot fill the memory", () => {
  const { events, watchers } = openEvents();
  for (let version = 1; version <= 100; version++) events.changed(version);
  expect(watchers.size).toBe(0);
});
