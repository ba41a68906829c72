import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getNetwork } from "@/lib/domain/networks";
import { examineEndpoints } from "@/scripts/installation/examine-endpoints";
import {
  examineDatabase,
  examineDisk,
  examinePublicUrl,
  examineSecret,
  examineSmtp,
} from "@/scripts/installation/examine-machine";
import { type Finding, lineOf } from "@/scripts/installation/finding";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { useTestDb } from "@/testing/database/clone";
import { TEST_APP_SECRET } from "@/testing/database/seed";

const testDb = useTestDb();
const now = () => new Date();
const wrong = (found: readonly Finding[]) => found.filter(({ isWell }) => !isWell).map(lineOf);
let chain: TestChain;

beforeAll(async () => {
  chain = await startTestChain(getNetwork("ethereum"));
});
afterAll(() => chain.stop());

const endpoints = (id: string, url: string, at = now) =>
  examineEndpoints({ rpcUrls: new Map([[id, [url]]]), rpcHeaders: new Map() }, at);

test("an endpoint of the wrong chain, one that is away, and a clock that is behind are named with what to do", async () => {
  expect(wrong(await endpoints("bsc", chain.node.url))).toEqual([
    expect.stringMatching(/it serves chain 1, and .* is 56\n {6}→ Correct BSC_RPC_URLS/),
  ]);
  expect(wrong(await endpoints("ethereum", "http://127.0.0.1:1"))).toEqual([
    expect.stringContaining("the key in ETHEREUM_RPC_URLS are right"),
  ]);
  const body = { jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params: ["latest", false] };
  const headers = { "content-type": "application/json" };
  const answer = await fetch(chain.node.url, { method: "POST", headers, body: JSON.stringify(body) });
  const { result: block } = (await answer.json()) as { result: { timestamp: string } };
  const blockMs = Number(block.timestamp) * 1_000;
  expect(wrong(await endpoints("ethereum", chain.node.url, () => new Date(blockMs - 60_000)))).toEqual([
    expect.stringContaining("is 60 s ahead of this machine's clock\n      → Set the clock"),
  ]);
  expect(wrong(await endpoints("ethereum", chain.node.url, () => new Date(blockMs)))).toEqual([]);
});

test("a database that is as it should be is well; one that is away, behind or of another time is told", async () => {
  expect(wrong(await examineDatabase(testDb.url, "db", now))).toEqual([]);
  const anHourOff = () => new Date(Date.now() + 3_600_000);
  expect(wrong(await examineDatabase(testDb.url, "db", anHourOff))).toEqual([expect.stringContaining("3600 s apart")]);
  const { host } = new URL(testDb.url);
  const both = testDb.url.replace(`@${host}/`, `@${host},127.0.0.1:1/`);
  expect(wrong(await examineDatabase(both, "db", now))).toEqual([expect.stringContaining("no standby is synchronous")]);
  const away = await examineDatabase("postgres://nobody@127.0.0.1:1/none", "db", now);
  expect(wrong(away)).toEqual([expect.stringContaining("it cannot be reached (ECONNREFUSED)")]);
});

test("an APP_SECRET that is not the installation's is reported with what to do", async () => {
  expect(wrong(await examineSecret(testDb.url, TEST_APP_SECRET))).toEqual([]);
  expect(wrong(await examineSecret(testDb.url, "a secret that this installation never had"))).toEqual([
    expect.stringMatching(
      /^WRONG APP_SECRET: APP_SECRET is not the secret .*\n {6}→ Set APP_SECRET to the previous value/,
    ),
  ]);
});

test("PUBLIC_URL, the mail server and the disk", async () => {
  expect(wrong(await examinePublicUrl("http://localhost:3000", now))).toEqual([]);
  expect(wrong(await examinePublicUrl("http://10.0.0.1", now))).toEqual([expect.stringContaining("it is plain http")]);
  expect(wrong(await examinePublicUrl("https://127.0.0.1:1", now))).toEqual([
    expect.stringContaining("no TLS connection"),
  ]);
  const post = createServer((socket) => socket.on("error", () => {}).end("220 mail.example.com ESMTP\r\n"));
  await once(post.listen(0, "127.0.0.1"), "listening");
  const address = post.address();
  const port = typeof address === "object" && address ? address.port : 0;
  expect((await examineSmtp(`smtp://127.0.0.1:${port}`)).isWell).toBe(true);
  post.close();
  expect(wrong([await examineSmtp("smtp://127.0.0.1:1")])).toEqual([expect.stringContaining("ECONNREFUSED")]);
  expect((await examineDisk("/tmp/of/no/such/folder")).about).toBe("Disk, /tmp");
});
