import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { guardedGet } from "@/lib/outbound/guarded-get";
import type { OutboundOptions } from "@/lib/outbound/guarded-post";
import { answerWith, startReceiver } from "@/testing/callbacks/receiver";
import { withErrorSentence } from "@/testing/problem-sentences";

const SANDBOX: OutboundOptions = { allowCidrs: ["127.0.0.0/8"] };
const closers: (() => unknown)[] = [];
const get = (url: string, options: OutboundOptions = SANDBOX) =>
  guardedGet(url, "Stablegate/test", options).then(withErrorSentence);

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function receiver(...args: Parameters<typeof startReceiver>) {
  const started = await startReceiver(...args);
  closers.push(started.close);
  return started;
}

test("the whole text of a status 200 comes back, and nothing but a GET was sent", async () => {
  const text = '{"rate":"0.92"}'.padEnd(30_000, " ");
  const server = await receiver(answerWith(200, {}, text));
  expect(await get(`${server.origin}/rates?of=USDT`)).toEqual({ kind: "answered", text });
  expect(server.received).toMatchObject([{ method: "GET", path: "/rates?of=USDT", body: "" }]);
  const [headers] = server.received.map((request) => request.headers);
  expect(headers).toMatchObject({
    "user-agent": "Stablegate/test",
    "accept-encoding": "identity",
    connection: "close",
  });
  expect(headers).not.toHaveProperty("content-length");
});

test.each([
  [
    answerWith(301, { location: "http://127.0.0.1:1/" }),
    "the response was a redirect (status 301), which is not followed",
  ],
  [answerWith(429), "the response had status 429"],
  [answerWith(204), "the response had status 204"],
  [answerWith(200, {}, "x".repeat(65_536)), "the response is too large or incomplete"],
])("anything else is a failure with a message: %#", async (answer, error) => {
  const server = await receiver(answer);
  expect(await get(server.origin)).toEqual({ kind: "failed", error });
  expect(server.received).toHaveLength(1);
});

test("a body that breaks off, drips for ever, or is compressed is no answer", async () => {
  const broken = await receiver((response) => {
    response.writeHead(200, { "content-length": "100" }).write('{"rate":1');
    setImmediate(() => response.destroy());
  });
  expect(await get(broken.origin)).toMatchObject({ kind: "failed" });
  const slow = await receiver((response) => void response.writeHead(200).write("1"));
  expect(await get(slow.origin, { ...SANDBOX, limits: { totalMs: 300 } })).toMatchObject({ kind: "failed" });
  const packed = await receiver((response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("1"));
  });
  expect(await get(packed.origin)).toEqual({ kind: "failed", error: "the response is compressed (gzip)" });
});

test("an address inside is refused before a packet leaves, whether it is written or resolved", async () => {
  const server = await receiver(answerWith(200));
  expect(await get(server.origin, { allowCidrs: [] })).toMatchObject({
    kind: "failed",
    error: expect.stringMatching(/^the address points to .*public addresses only$/),
  });
  const url = `http://rates.example.com:${new URL(server.origin).port}/`;
  const inside = await get(url, { allowCidrs: [], resolve: async () => ["127.0.0.1"] });
  expect(inside).toMatchObject({ kind: "failed", error: expect.stringContaining("public addresses only") });
  for (const bad of ["file:///etc/passwd", "http://user:pass@example.com/", "http://169.254.169.254/", "no address"])
    expect(await get(bad)).toMatchObject({ kind: "failed" });
  expect(server.received).toEqual([]);
});
