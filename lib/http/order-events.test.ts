import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createListener, createRouter } from "@/lib/http/listener";
import { createOrderStreams } from "@/lib/http/order-events";
import { type Outlet, type ReplyRoute, replyRoute, responseOf } from "@/lib/http/reply";
import { createLog } from "@/lib/log";
import type { OrderWatcher } from "@/lib/orders/order-changes";

function openStreams() {
  const watchers = new Set<OrderWatcher>();
  const changes = {
    watch: (_orderId: string, watcher: OrderWatcher) => {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    close: () => {},
  };
  return { watchers, streams: createOrderStreams(changes) };
}

function openEvents({ watchers, streams } = openStreams()) {
  const onEnd = vi.fn();
  return { events: streams.open("order", onEnd), onEnd, watchers, streams };
}

/** Returns an outlet that records everything that is written. */
function recorder(): Outlet & { text: string; isEnded: boolean } {
  return {
    text: "",
    isEnded: false,
    write(text) {
      this.text += text;
      return true;
    },
    end() {
      this.isEnded = true;
    },
  };
}

describe("a stream", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("versions are sent in ascending order only, each once, from the highest known at the start", () => {
    const { events } = openEvents();
    const outlet = recorder();
    for (const version of [1, 3, 3, 2]) events.changed(version);
    events.reply().begin(outlet);
    for (const version of [2, 3, 5, 4]) events.changed(version);
    expect(outlet.text).toBe("retry: 3000\n\nid: 3\ndata: 3\n\nid: 5\ndata: 5\n\n");
  });

  test("a heartbeat goes to every stream each 15 s, by one timer, and stops with the last stream", () => {
    const open = openStreams();
    const all = Array.from({ length: 40 }, () => openEvents(open));
    const outlets = Array.from({ length: 40 }, recorder);
    all.forEach(({ events }, index) => {
      events.reply().begin(outlets[index] ?? recorder());
    });
    expect(vi.getTimerCount()).toBe(1);
    let maximum = 0;
    for (let seconds = 0; seconds < 15; seconds++) {
      const beats = () => outlets.filter(({ text }) => text.includes("ping")).length;
      const before = beats();
      vi.advanceTimersByTime(1_000);
      maximum = Math.max(maximum, beats() - before);
    }
    expect(maximum).toBeLessThanOrEqual(3);
    vi.advanceTimersByTime(30_000);
    for (const { text } of outlets) expect(text.match(/event: ping/g)).toHaveLength(3);
    for (const { events } of all) events.closed();
    for (const { text } of outlets) expect(text).toMatch(/retry: \d{3,4}\n\n$/);
    vi.runOnlyPendingTimers();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a client that is gone is forgotten, once", () => {
    const { events, watchers, onEnd } = openEvents();
    const reply = events.reply();
    reply.begin(recorder());
    for (let times = 0; times < 2; times++) reply.stop();
    expect([watchers.size, onEnd.mock.calls.length, vi.getTimerCount()]).toEqual([0, 1, 0]);
    events.changed(9);
  });

  test("one that ended before it began ends as it begins", () => {
    const { events } = openEvents();
    const outlet = recorder();
    events.closed();
    events.reply().begin(outlet);
    expect(outlet).toMatchObject({ text: "", isEnded: true });
  });
});

describe("as a Response", () => {
  test("a client that cancels is forgotten, and one that stops reading is cut off", async () => {
    const cancelled = openEvents();
    cancelled.events.changed(1);
    await responseOf(cancelled.events.reply()).body?.cancel();
    expect(cancelled.watchers.size).toBe(0);

    const still = openEvents();
    const answer = responseOf(still.events.reply());
    for (let version = 1; version <= 200; version++) still.events.changed(version);
    expect(still.watchers.size).toBe(0);
    expect(await answer.text()).toContain("data: 1\n");
  });
});

describe("on a socket", () => {
  const open = openStreams();
  let server: Server;

  const route: ReplyRoute<unknown> = replyRoute(async () => {
    const { events } = openEvents(open);
    events.changed(1);
    return events.reply();
  });

  beforeEach(async () => {
    const router = createRouter([["GET", "/events", Object.assign(() => new Response(), { answer: route.answer })]]);
    server = createServer(
      createListener({
        router,
        fallback: () => {},
        refuse: () => {},
        trustedProxies: 0,
        log: createLog("t", "silent"),
        logScope: new AsyncLocalStorage(),
        now: () => new Date(),
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function ask(method: string): Promise<{ socket: Socket; head: string }> {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").setEncoding("utf8");
    socket.write(`${method} /events HTTP/1.1\r\nHost: a\r\n\r\n`);
    const [head] = (await once(socket, "data")) as [string];
    return { socket, head };
  }
  const isForgotten = () => vi.waitUntil(() => open.watchers.size === 0, { timeout: 20_000, interval: 10 });

  test("events arrive, and a disconnected client is forgotten", async () => {
    const { socket, head } = await ask("GET");
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\nX-Request-Id: \w{28}\r\ncontent-type: text\/event-stream/);
    let text = head;
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    for (const watcher of open.watchers) watcher.changed(2);
    await vi.waitUntil(() => text.includes("id: 2\ndata: 2\n\n"), { timeout: 20_000, interval: 10 });
    socket.destroy();
    await isForgotten();
  });

  test("a client that stops reading is cut off, so that it cannot fill the memory", async () => {
    const { socket } = await ask("GET");
    socket.pause();
    const [watcher] = open.watchers;
    let version = 1;
    await vi.waitUntil(
      () => {
        for (let count = 0; count < 10_000; count++) watcher?.changed(++version);
        return open.watchers.size === 0;
      },
      { timeout: 60_000, interval: 1 },
    );
    socket.destroy();
  });

  test("HEAD gets the head, and leaves nothing open", async () => {
    const { socket, head } = await ask("HEAD");
    expect(head).toContain("text/event-stream");
    await isForgotten();
    socket.destroy();
  });
});
