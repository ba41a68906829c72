import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiKeys } from "@/db/schema";
import { hashApiKey } from "@/lib/domain/keys/api-key";
import { getNetwork } from "@/lib/domain/networks";
import { examineKeyHashes, examineRole } from "@/scripts/installation/examine-access";
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
import { startTronChain } from "@/testing/chains/tron";
import { useTestDb } from "@/testing/database/clone";
import { seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";

const testDb = useTestDb();
const now = () => new Date();
const invalid = (found: readonly Finding[]) => found.filter(({ isWell }) => !isWell).map(lineOf);
let chain: TestChain;

beforeAll(async () => {
  chain = await startTestChain(getNetwork("ethereum"));
});
afterAll(() => chain.stop());

const endpoints = (id: string, url: string, at = now) =>
  examineEndpoints({ rpcUrls: new Map([[id, [url]]]), rpcHeaders: new Map() }, at);

test("an endpoint of the wrong chain, one that is away, and a clock that is behind are named with what to do", async () => {
  expect(invalid(await endpoints("bsc", chain.node.url))).toEqual([
    expect.stringMatching(/it serves chain 1, but .* is 56\n {6}→ Correct BSC_RPC_URLS/),
  ]);
  expect(invalid(await endpoints("ethereum", "http://127.0.0.1:1"))).toEqual([
    expect.stringContaining("Check the URL and the key in ETHEREUM_RPC_URLS"),
  ]);
  const body = { jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params: ["latest", false] };
  const headers = { "content-type": "application/json" };
  const answer = await fetch(chain.node.url, { method: "POST", headers, body: JSON.stringify(body) });
  const { result: block } = (await answer.json()) as { result: { timestamp: string } };
  const blockMs = Number(block.timestamp) * 1_000;
  expect(invalid(await endpoints("ethereum", chain.node.url, () => new Date(blockMs - 60_000)))).toEqual([
    expect.stringContaining("is 60 s ahead of this machine's clock\n      → Set the clock"),
  ]);
  expect(invalid(await endpoints("ethereum", chain.node.url, () => new Date(blockMs)))).toEqual([]);
});

test("TRON's HTTP API and its JSON-RPC pass, with the number of blocks that one call reads", async () => {
  const tron = await startTronChain();
  try {
    await tron.mine(40);
    for (const url of [tron.node.url, tron.node.jsonRpcUrl]) {
      const found = await endpoints("tron", url);
      expect(invalid(found)).toEqual([]);
      expect(found.map(({ text }) => text).join("; ")).toMatch(
        /correct chain, .*; \d+ blocks in one eth_getLogs.*; it returns logs from a day ago/,
      );
    }
    const text = (await endpoints("tron", tron.node.url)).map(lineOf).join("\n");
    expect(text).toMatch(/TRON, 127\.0\.0\.1:\d+ \(HTTP API\): 20 blocks in one eth_getLogs, not 1000/);
  } finally {
    await tron.stop();
  }
});

test("an endpoint whose answers have another form is described in one line, without JSON", async () => {
  const server = createHttpServer((request, response) => {
    request.resume().on("end", () => response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" })));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    for (const [id, at] of [
      ["ethereum", url],
      ["tron", url],
    ] as const) {
      const [line = "", ...more] = invalid(await endpoints(id, at));
      expect(line).toMatch(/unexpected response(?: format)?: .*\n {6}→ Check the URL/);
      expect(more).toEqual([]);
      expect(line).not.toMatch(/"code"|[[{]\s*$|\n(?! {6}→)/m);
    }
  } finally {
    server.close();
  }
});

test("a correct database passes; one that is unavailable, outdated or has another clock is reported", async () => {
  expect(invalid(await examineDatabase(testDb.url, "db", now))).toEqual([]);
  const anHourOff = () => new Date(Date.now() + 3_600_000);
  expect(invalid(await examineDatabase(testDb.url, "db", anHourOff))).toEqual([
    expect.stringContaining("differ by 3600 s"),
  ]);
  const { host } = new URL(testDb.url);
  const both = testDb.url.replace(`@${host}/`, `@${host},127.0.0.1:1/`);
  expect(invalid(await examineDatabase(both, "db", now))).toEqual([
    expect.stringContaining("no standby is synchronous"),
  ]);
  const away = await examineDatabase("postgres://unknown@127.0.0.1:1/none", "db", now);
  expect(invalid(away)).toEqual([expect.stringContaining("it cannot be reached (ECONNREFUSED)")]);
});

test("an APP_SECRET that is not the installation's is reported with what to do", async () => {
  expect(invalid(await examineSecret(testDb.url, TEST_APP_SECRET))).toEqual([]);
  expect(invalid(await examineSecret(testDb.url, "a secret that this installation never had"))).toEqual([
    expect.stringMatching(
      /^WRONG APP_SECRET: APP_SECRET is not the secret .*\n {6}→ Set APP_SECRET to the previous value/,
    ),
  ]);
});

test("hashes of API keys in the clear are reported with what to do", async () => {
  const shop = await seedMerchant(testDb.pool.db, now());
  expect(invalid(await examineKeyHashes(testDb.url))).toEqual([]);
  const keyHash = hashApiKey(shop.apiKey);
  await testDb.pool.db.update(apiKeys).set({ keyHash }).where(eq(apiKeys.id, shop.keyId));
  expect(invalid(await examineKeyHashes(testDb.url))).toEqual([
    expect.stringMatching(/^WRONG API keys: the hashes of 1 are stored unencrypted.*\n {6}→ Stop all processes/),
  ]);
});

test("a database role that may do more than web and worker need is reported with what to do", async () => {
  expect(invalid(await examineRole(testDb.url))).toEqual([]);
  expect(invalid(await examineRole(testDb.ownerUrl))).toEqual([
    expect.stringMatching(/^WRONG Database role stablegate: .* it is a superuser\n {6}→ Set DATABASE_OWNER_URL/),
  ]);
});

test("PUBLIC_URL, the mail server and the disk", async () => {
  expect(invalid(await examinePublicUrl("http://localhost:3000", now))).toEqual([]);
  expect(invalid(await examinePublicUrl("http://10.0.0.1", now))).toEqual([
    expect.stringContaining("it uses plain http"),
  ]);
  expect(invalid(await examinePublicUrl("https://127.0.0.1:1", now))).toEqual([
    expect.stringContaining("no TLS connection"),
  ]);
  const post = createServer((socket) => socket.on("error", () => {}).end("220 mail.example.com ESMTP\r\n"));
  await once(post.listen(0, "127.0.0.1"), "listening");
  const address = post.address();
  const port = typeof address === "object" && address ? address.port : 0;
  expect((await examineSmtp(`smtp://127.0.0.1:${port}`)).isWell).toBe(true);
  post.close();
  expect(invalid([await examineSmtp("smtp://127.0.0.1:1")])).toEqual([expect.stringContaining("ECONNREFUSED")]);
  expect((await examineDisk("/tmp/of/no/such/folder")).about).toBe("Disk, /tmp");
});

// This must be the last test in the file, because it modifies the schema.
test("the schema of a database: older, newer, empty and made by other migrations each get their own advice", async () => {
  const schemaOf = async () =>
    (await examineDatabase(testDb.url, "db", now)).filter(({ text }) => /schema|tables/.test(text));
  const { sql } = testDb.owner;
  await sql`insert into schema_migrations (made_ms, hash) values (99999999999999, 'of a newer version')`;
  const [newer] = await schemaOf();
  expect(newer).toMatchObject({ isWell: true });
  expect(newer?.text).toMatch(/newer than this version \(migrations that this version does not have: 1\)/);
  await sql`delete from schema_migrations where made_ms = 99999999999999`;
  const [last] =
    await sql`delete from schema_migrations where made_ms = (select max(made_ms) from schema_migrations) returning *`;
  expect(invalid(await schemaOf())).toEqual([
    expect.stringMatching(/older than this version.*\n {6}→ Run: npm run migrate/),
  ]);
  await sql`insert into schema_migrations ${sql({ made_ms: last?.["made_ms"], hash: last?.["hash"] })}`;
  await sql`update schema_migrations set hash = 'another' where made_ms = (select min(made_ms) from schema_migrations)`;
  const foreign =
    /unreleased schema of Stablegate, which cannot be migrated\.?\n {6}→ Set DATABASE_URL to an empty database/;
  expect(invalid(await schemaOf())).toEqual([expect.stringMatching(foreign)]);
  await sql`drop table schema_migrations`;
  expect(invalid(await schemaOf())).toEqual([expect.stringMatching(foreign)]);
  await sql`alter table merchants rename to merchants_elsewhere`;
  expect(invalid(await schemaOf())).toEqual([
    expect.stringMatching(/no tables of Stablegate yet\n {6}→ Run: npm run migrate/),
  ]);
});
