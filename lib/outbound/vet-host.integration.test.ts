import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { resolveBy, vetHost } from "@/lib/outbound/guarded-connect";
import { guardedPost } from "@/lib/outbound/guarded-post";
import { answerWith, startReceiver } from "@/testing/callbacks/receiver";
import { type DnsAnswer, startDns } from "@/testing/outbound/dns";
import { withErrorSentence } from "@/testing/problem-sentences";

const NAME = "shop.example.com";
const CLOSED = { allowCidrs: [] };
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function lookUp(v4: DnsAnswer, v6: DnsAnswer): Promise<readonly string[]> {
  const dns = await startDns((_name, family) => (family === 4 ? v4 : v6));
  closers.push(dns.close);
  return vetHost(NAME, CLOSED, resolveBy({ servers: [dns.server] }), new AbortController().signal);
}

test("both families are asked, and IPv4 comes first", async () => {
  expect(await lookUp(["93.184.215.14", "93.184.215.15"], ["2606:4700::1"])).toEqual([
    "93.184.215.14",
    "93.184.215.15",
    "2606:4700::1",
  ]);
});

test("one family is enough where the other has nothing, or fails", async () => {
  expect(await lookUp(["93.184.215.14"], [])).toEqual(["93.184.215.14"]);
  expect(await lookUp([], ["2606:4700::1"])).toEqual(["2606:4700::1"]);
  expect(await lookUp(["93.184.215.14"], "SERVFAIL")).toEqual(["93.184.215.14"]);
});

test("one bad answer in either family refuses the name", async () => {
  await expect(lookUp(["93.184.215.14", "10.0.0.1"], [])).rejects.toThrow("resolves to a private address");
  await expect(lookUp(["93.184.215.14"], ["fd00::1"])).rejects.toThrow("resolves to a unique local address");
});

test("an unknown name, and one that cannot be resolved, are distinguished", async () => {
  await expect(lookUp("NXDOMAIN", "NXDOMAIN")).rejects.toThrow("has no address");
  await expect(lookUp([], [])).rejects.toThrow("has no address");
  await expect(lookUp("SERVFAIL", "SERVFAIL")).rejects.toThrow("could not be resolved (ESERVFAIL)");
});

test("names of the hosts file are known without DNS, and checked like any other", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-hosts-"));
  closers.push(() => rm(folder, { recursive: true }));
  const hostsFile = path.join(folder, "hosts");
  await writeFile(
    hostsFile,
    "# 10.0.0.9 shop.example.com\n93.184.215.14\tother Shop.Example.com # the shop\n10.0.0.1 bad.example.com\n",
  );
  const resolve = resolveBy({ servers: [], hostsFile });
  const { signal } = new AbortController();
  expect(await vetHost(NAME, CLOSED, resolve, signal)).toEqual(["93.184.215.14"]);
  await expect(vetHost("bad.example.com", CLOSED, resolve, signal)).rejects.toThrow("resolves to a private address");
});

test("a delivery by name goes through DNS to the checked address, and a silent name server ends it in time", async () => {
  const shop = await startReceiver(answerWith(200));
  const dns = await startDns((name) => (name === NAME ? ["127.0.0.1"] : "silence"));
  closers.push(shop.close, dns.close);
  const options = {
    allowCidrs: ["127.0.0.0/8"],
    resolve: resolveBy({ servers: [dns.server] }),
    limits: { dnsMs: 300 },
  };
  const { port } = new URL(shop.origin);
  const post = (host: string) =>
    guardedPost({ url: `http://${host}:${port}/`, headers: {}, body: "{}" }, options, new Date()).then(
      withErrorSentence,
    );
  expect(await post(NAME)).toMatchObject({ kind: "answered", httpStatus: 200, peer: "127.0.0.1" });
  expect(await post("silent.example.com")).toMatchObject({
    kind: "failed",
    error: "silent.example.com was not resolved within 0.3 seconds",
  });
});
