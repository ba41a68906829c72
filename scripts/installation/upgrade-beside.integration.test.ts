import { execFileSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { openDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { orders, quotes, transfers } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { generateApiKey, generateSecret, hashApiKey } from "@/lib/domain/keys/api-key";
import { parseUnits } from "@/lib/domain/money";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { createApiKey } from "@/lib/merchants/api-keys";
import { encryptKeyHashes } from "@/lib/merchants/key-hashes";
import { addressMac, encrypt } from "@/lib/merchants/vault";
import { answerWith, type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { seedPerson, TEST_APP_SECRET } from "@/testing/database/seed";
import { useWebs, useWorkers, type WorkerProcess } from "@/testing/watch/worker";

const PATIENCE = { timeout: 60_000, interval: 50 };
const FIRST_MIGRATION = "db/migrations/0000_initial.sql";
const NETWORK = getNetwork("ethereum");
const TOKEN = getToken(NETWORK, "USDT");
const EACH = 10;
const CROWDED = 5_000;

const git = (...args: string[]) =>
  execFileSync("git", args, { maxBuffer: 2 ** 30, stdio: ["ignore", "pipe", "ignore"] });

/** Returns the oldest version whose database can be upgraded to the current one: the version that last changed the first migration. */
function findOldest(): string | null {
  try {
    const last = git("log", "-1", "--format=%H", "--", FIRST_MIGRATION).toString().trim();
    return git("show", `${last}:${FIRST_MIGRATION}`).equals(readFileSync(FIRST_MIGRATION)) ? last : null;
  } catch {
    return null;
  }
}

/** Extracts the source of a commit, with the installed packages. */
function layOut(commit: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "stablegate old-"));
  execFileSync("tar", ["-x", "-C", folder], { input: git("archive", commit) });
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
  return folder;
}

const oldest = findOldest();
if (oldest === null)
  console.log(
    "No version in a history of git here has this first migration: an upgrade beside an older one was not tried.",
  );
const oldRoot = oldest === null ? "." : layOut(oldest);
const oldWebs = useWebs(oldRoot);
const oldWorkers = useWorkers(oldRoot);
const webs = useWebs();
const workers = useWorkers();
const name = `upgrade_${randomBytes(6).toString("hex")}`;
const url = new URL(inject("testServerUrl"));
url.pathname = `/${name}`;
let [chain, shop, later]: [TestChain, Receiver, string] = [{} as TestChain, {} as Receiver, ""];

const onServer = async (run: (sql: postgres.Sql) => Promise<unknown>) => {
  const sql = postgres(inject("testServerUrl"), { max: 1, onnotice: () => {} });
  await run(sql).finally(() => sql.end());
};

/** The current migrations plus one that a later version might add: it only adds columns. */
const ADDS = `alter table orders add column added_later text;--> statement-breakpoint
alter table callbacks add column added_later integer default 7 not null;--> statement-breakpoint
create table added_later (id text primary key);`;

beforeAll(async () => {
  await onServer((sql) => sql`create database ${sql(name)}`);
  shop = await startReceiver(answerWith(200));
  chain = await startTestChain(NETWORK);
  await chain.mine(5);
  later = mkdtempSync(path.join(tmpdir(), "stablegate later-"));
  for (const part of ["migrations", "functions"]) cpSync(`db/${part}`, path.join(later, part), { recursive: true });
  const journal = path.join(later, "migrations", "meta", "_journal.json");
  const { entries, ...rest } = JSON.parse(await readFile(journal, "utf8"));
  const last = entries.at(-1);
  entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: "9999_adds" });
  await writeFile(journal, JSON.stringify({ ...rest, entries }));
  await appendFile(path.join(later, "migrations", "9999_adds.sql"), ADDS);
});
afterAll(async () => {
  await Promise.all([chain.stop(), shop.close(), rm(later, { recursive: true, force: true })]);
  await onServer((sql) => sql`drop database ${sql(name)} with (force)`);
  if (oldRoot !== ".") await rm(oldRoot, { recursive: true, force: true });
});

const settings = () => ({
  DATABASE_URL: url.href,
  ETHEREUM_RPC_URLS: chain.node.url,
  HOST: "127.0.0.1",
  PORT: "0",
  CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
});

/** Adds a merchant with a key, with the columns of the old version. */
async function addMerchantAsThen(sql: postgres.Sql) {
  const id = newId(new Date());
  const keyId = newId(new Date());
  const apiKey = generateApiKey("test");
  const secret = generateSecret();
  const cipher = encrypt(TEST_APP_SECRET, `api_keys:${keyId}`, secret);
  await sql`insert into merchants (id, name, created_at) values (${id}, 'Test shop', now())`;
  await sql`insert into api_keys (id, merchant_id, name, prefix, key_hash, secret_cipher, created_at, opt_ins, callback_format)
    values (${keyId}, ${id}, 'test', ${apiKey.slice(0, 12)}, ${hashApiKey(apiKey)}, ${cipher}, now(), '{}', 'standard')`;
  return { id, apiKey, secret };
}

/** Adds a receiving address with the columns of the old version; current rows have more columns. */
async function addAddressAsThen(sql: postgres.Sql, merchantId: string): Promise<void> {
  const row = { merchantId, network: NETWORK.id, address: `0x${"ab".repeat(20)}`, kind: "shared" };
  const mac = addressMac(TEST_APP_SECRET, row);
  await sql`insert into family_addresses (family, address, merchant_id) values ('evm', ${row.address}, ${merchantId})`;
  await sql`insert into receiving_addresses (id, merchant_id, network, family, address, kind, mac, created_at)
    values (${newId(new Date())}, ${merchantId}, ${row.network}, 'evm', ${row.address}, ${row.kind}, ${mac}, now())`;
}

async function originOf(web: WorkerProcess): Promise<string> {
  const origin = () => /listen(?:s|ing) at (http:\S+?)[;,\s]/.exec(web.output())?.[1];
  await vi.waitUntil(origin, PATIENCE);
  return origin() ?? "";
}

test.skipIf(oldest === null)(
  "a database is migrated and a new version started while the oldest one that it follows runs on, and orders go through both",
  async () => {
    await migrate(url.href, path.join(oldRoot, "db"));
    const pool = openDb(url.href, { work: "none", max: 2 });
    const { db } = pool;
    const merchant = await addMerchantAsThen(pool.sql);
    await addAddressAsThen(pool.sql, merchant.id);
    const oldWeb = oldWebs.start(settings());
    const oldWorker = oldWorkers.start(settings());
    const oldOrigin = await originOf(oldWeb);

    let number = 0;
    const refusals: unknown[] = [];
    const ids: string[] = [];
    const ask = async (origin: string, amount: number, mayRefuse = false, { apiKey } = merchant) => {
      number += 1;
      const terms = { mch_order_id: `o-${number}`, amount, network: NETWORK.id, currency: "USDT" };
      const answer = await vi.waitUntil(async () => {
        const response = await fetch(`${origin}/api/v1/pay/sdk/order/add`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": apiKey },
          body: JSON.stringify({ ...terms, notify_url: `${shop.origin}/` }),
        });
        const body = (await response.json()) as { code: number; data: Record<string, string> };
        if (body.code !== 0 && !mayRefuse) refusals.push(body);
        return body.code === 0 && body;
      }, PATIENCE);
      return answer.data;
    };
    const pay = async ({ trade_id: id = "", address = "", actual_amount: amount }: Record<string, string>) => {
      await chain.pay(TOKEN.contract, address, parseUnits(String(amount), TOKEN.decimals) ?? 0n);
      await chain.mine(2);
      ids.push(id);
    };
    const order = async (origin: string, mayRefuse = false, as = merchant) =>
      pay(await ask(origin, 11 + number, mayRefuse, as));
    /** Creates and pays orders of the same price on each version concurrently. Every order gets a unique amount. */
    const crowd = async (origins: readonly string[]) => {
      const asked = await Promise.all(
        origins.flatMap((origin) => Array.from({ length: EACH }, () => ask(origin, CROWDED))),
      );
      for (const one of asked) await pay(one);
    };
    const many = async (origins: readonly string[]) => {
      for (let count = 0; count < EACH; count++) for (const origin of origins) await order(origin);
    };
    // The web process does not accept orders until the network has been read.
    await order(oldOrigin, true);
    await many([oldOrigin]);

    await crowd([oldOrigin]);

    // Runs the migrations of the new version and of a later one while the old web creates orders and the old worker settles them.
    await Promise.all([crowd([oldOrigin]), migrate(url.href).then(() => migrate(url.href, later))]);
    await crowd([oldOrigin]);
    expect(await encryptKeyHashes(db, TEST_APP_SECRET)).toBe(1);
    await many([oldOrigin]);
    // The old version also accepts a key that the new version creates in the meantime.
    const owner = { merchantId: merchant.id, userId: await seedPerson(db, { merchantId: merchant.id }, new Date()) };
    const made = { appSecret: TEST_APP_SECRET, mode: "test" } as const;
    const second = { ...merchant, ...(await createApiKey(db, made, { ...owner, name: "Second" }, new Date())) };
    await order(oldOrigin, false, second);
    const web = webs.start(settings());
    const worker = workers.start(settings());
    const origin = await originOf(web);
    await many([oldOrigin, origin]);
    await crowd([oldOrigin, origin]);

    // The old processes stop; the new ones complete their work.
    const ending = Promise.all([oldWeb.end("SIGTERM"), oldWorker.end("SIGTERM")]);
    await many([origin]);
    expect(await ending).toEqual([0, 0]);
    await many([origin]);
    await chain.mine(20);

    const isEverythingDelivered = () =>
      new Set(shop.received.map(({ body }) => JSON.parse(body).data.trade_id)).size === ids.length;
    await vi.waitUntil(isEverythingDelivered, PATIENCE);
    expect(refusals).toEqual([]);
    const held = await db.select({ amount: quotes.microUnits, id: quotes.orderId }).from(quotes);
    expect(new Set(held.map(({ amount }) => amount)).size).toBe(ids.length);
    const rows = await db.select().from(orders);
    expect(rows.map(({ id, status, exception }) => [id, status, exception]).toSorted()).toEqual(
      ids.map((id) => [id, "paid", null]).toSorted(),
    );
    expect(await db.select().from(transfers)).toHaveLength(ids.length);
    const events = shop.received.map(({ body, headers }) => {
      const isSecond = headers["x-key-prefix"] === second.apiKey.slice(0, 12);
      const { secret, apiKey } = isSecond ? second : merchant;
      const signed = `${headers["x-timestamp"]}\n${headers["x-nonce"]}\n${body}`;
      expect(headers["x-signature"]).toBe(createHmac("sha256", hashApiKey(apiKey)).update(signed).digest("hex"));
      return new Webhook(secret).verify(body, headers as Record<string, string>);
    });
    expect(new Set(events.map((event) => (event as { id: string }).id)).size).toBe(ids.length);
    for (const program of [oldWeb, oldWorker, web, worker]) expect(program.output()).not.toMatch(/"level":[56]0\b/);
    console.log(`${oldest?.slice(0, 7)} and today's: ${ids.length} orders, ${events.length} callbacks, none refused`);
    await pool.close();
  },
  300_000,
);
