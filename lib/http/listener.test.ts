import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { createListener, createRouter, type Found, type Handler, hasDotSegment } from "@/lib/http/listener";
import { createLog } from "@/lib/log";

const answer = (text: string) => () => new Response(text);
const router = createRouter([
  ["POST", "/orders/add", answer("add")],
  ["GET", "/orders/{id}", answer("one")],
  ["GET", "/orders/{path...}", answer("rest")],
  ["POST", "/orders/{path...}", answer("rest")],
]);

async function text(found: Found): Promise<string> {
  if (!found || !("handler" in found)) throw new Error("nothing was found");
  return (await found.handler(new Request("http://localhost/"), found.params)).text();
}

test("an exact path comes before a pattern", async () => {
  expect(await text(router.find("POST", "/orders/add"))).toBe("add");
});

test("a pattern returns its decoded parts; undecodable parts stay unchanged", () => {
  expect(router.find("GET", "/orders/a%20b")).toMatchObject({ params: { id: "a b" } });
  expect(router.find("GET", "/orders/%zz")).toMatchObject({ params: { id: "%zz" } });
});

test("the rest pattern takes any depth, and none", async () => {
  expect(await text(router.find("POST", "/orders"))).toBe("rest");
  expect(router.find("POST", "/orders/a/b/c")).toMatchObject({ params: { path: "a/b/c" } });
});

test("HEAD is answered where GET is", async () => {
  expect(await text(router.find("HEAD", "/orders/1"))).toBe("one");
});

test("a wrong method learns the right ones", () => {
  expect(router.find("GET", "/orders/add")).toEqual({ allowed: ["POST"] });
});

test("a handler for any other method serves unknown methods", async () => {
  const any = createRouter([
    ["POST", "/add", answer("add")],
    ["*", "/add", answer("refused")],
  ]);
  expect(await text(any.find("PROPFIND", "/add"))).toBe("refused");
  expect(await text(any.find("POST", "/add"))).toBe("add");
});

test("an exact path is found under the prefix of its alias too; its own path comes first, patterns last", async () => {
  const aliased = createRouter(
    [
      ["POST", "/pay/sdk/add", answer("add")],
      ["POST", "/pay/sdk/keys", answer("keys of sdk")],
      ["GET", "/pay/keys", answer("keys")],
      ["*", "/pay/{path...}", answer("unknown")],
    ],
    { prefix: "/pay/", canonical: "/pay/sdk/" },
  );
  for (const path of ["/pay/add", "/pay/sdk/add"])
    expect(aliased.find("POST", path)).toMatchObject({ pattern: "/pay/sdk/add" });
  expect(await text(aliased.find("GET", "/pay/keys"))).toBe("keys");
  expect(aliased.find("POST", "/pay/keys")).toEqual({ allowed: ["GET"] });
  for (const path of ["/pay/nothing", "/pay/sdk/sdk/add", "/pay/add/x"])
    expect(await text(aliased.find("POST", path)), path).toBe("unknown");
});

test("a route without a handler is left to the fallback", async () => {
  const partly = createRouter([
    ["GET", "/auth/{path...}", null],
    ["*", "/auth/{path...}", answer("refused")],
    ["*", "/{path...}", answer("unknown")],
  ]);
  expect([partly.find("GET", "/auth/csrf"), partly.find("HEAD", "/auth/csrf")]).toEqual([null, null]);
  expect(await text(partly.find("PUT", "/auth/csrf"))).toBe("refused");
  expect(await text(partly.find("GET", "/other"))).toBe("unknown");
});

test("other paths are not handled here", () => {
  expect(router.find("GET", "/ordersx")).toBeNull();
  expect(router.find("GET", "/")).toBeNull();
});

test.each([
  ["/_next/../login", true],
  ["/_next/%2e%2e/login", true],
  ["/_next/static/.%2E/../login?a=b", true],
  ["/a/./b", true],
  ["/_next/static/..\\login", true],
  ["/a/..", true],
  ["/pay/a..b/...", false],
  ["/.well-known/security.txt", false],
  ["/login?next=/../x", false],
])("a path with a dot segment is recognised: %s", (target, expected) => {
  expect(hasDotSegment(target)).toBe(expected);
});

test("a client that sends ten megabytes before reading gets an error about the size", async () => {
  const refuse: Handler = () => new Response("unused");
  refuse.answer = async (call) => {
    await call.readBody().catch(() => {});
    return { status: 413, headers: { Connection: "close" }, body: "too large" };
  };
  const router = createRouter([["POST", "/add", refuse]]);
  const fallback = () => {};
  const server = createServer(
    createListener({
      router,
      fallback,
      refuse: fallback,
      trustedProxies: 0,
      log: createLog("test", "silent"),
      logScope: new AsyncLocalStorage(),
      now: () => new Date(),
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const body = Buffer.alloc(10 * 1024 * 1024, "x");
  socket.write(`POST /add HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`);
  await new Promise<void>((resolve, reject) => socket.once("error", reject).write(body, () => resolve()));
  const received: Buffer[] = [];
  socket.on("data", (chunk) => received.push(chunk));
  await once(socket, "close");
  expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\n\r\ntoo large$/);
  await new Promise((resolve) => server.close(resolve));
});
