import { createHash } from "node:crypto";
import { Connection, measureTimes, type Work } from "@/bench/load";
import type { Row } from "@/bench/table/line";
import { startWebProcess } from "@/bench/web-process";
import { APP_SECRET, addMerchant, CONNECTIONS, startWorld } from "@/bench/world";
import type { Db } from "@/db/client";
import { addressSources, familyAddresses, receivingAddresses } from "@/db/schema";
import { deriveAddresses } from "@/lib/domain/addresses/xpub";
import { newId } from "@/lib/domain/id";
import { addressMac, encrypt } from "@/lib/merchants/vault";

/** The extended public key m/44'/60'/0' of the well-known test mnemonic "abandon … about". */
const XPUB =
  "xpub6DCoCpSuQZB33fTd4N4P2SqWZdpSC8UUdW6ASdbyGs5WRSfbbyqCWXWe4zD2g9ngqy2ri77ygfHerZhorocu6uijBhL9z9T6JhNjfVohQx5";
const NETWORK = "ethereum";
const ROUNDS = 4;
const TIMES = 1_000;
const WARM_UP = 400;
const COUNT = ROUNDS * TIMES + WARM_UP;
const CONCURRENCY = 500;

/**
 * Measures the orders of a shop with previously derived addresses, compared with a shop that pasted the same number of addresses and with
 * a shop that has a shared address. They take turns in one web process.
 */
export async function measureDerived(): Promise<Row[]> {
  const world = await startWorld();
  const web = await startWebProcess(world.databaseUrl);
  const open: Connection[] = [];
  let count = 0;
  const by = (apiKey: string): Work => {
    const connections = Array.from({ length: CONNECTIONS }, () => new Connection(web.port, apiKey));
    open.push(...connections);
    return async (_index, worker) => {
      count += 1;
      const json = `{"currency":"USDT","network":"${NETWORK}","amount":${count + 1},"mch_order_id":"derived-${count}"}`;
      await connections[worker]?.post("/api/v1/pay/sdk/order/add", json);
    };
  };
  try {
    const { db, sql } = world.pool;
    const shop = await addMerchant(world.pool, `0x${"cd".repeat(20)}`);
    const other = await addMerchant(world.pool, `0x${"ef".repeat(20)}`);
    await seedOwn(db, shop.merchantId, XPUB);
    await seedOwn(db, other.merchantId, null);
    const works = [by(shop.apiKey), by(other.apiKey), by(world.apiKey)];
    const perSecond = [0, 0, 0];
    for (const work of works) await measureTimes(WARM_UP, CONNECTIONS, work);
    // Autovacuum analyzes these tables within the first minute, which replaces the plans for empty tables.
    await sql`analyze quotes`;
    await sql`analyze receiving_addresses`;
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, work] of works.entries())
        perSecond[index] = (perSecond[index] ?? 0) + (await measureTimes(TIMES, CONNECTIONS, work)).perSecond / ROUNDS;
    for (const { merchantId } of [shop, other]) {
      const [used] = await sql`select count(distinct address)::int as count from quotes
        where merchant_id = ${merchantId} and kind = 'dedicated'`;
      if (used?.["count"] !== COUNT) throw new Error("Two orders reserved one address");
    }
    const [derived = 0, pasted = 0, shared = 0] = perSecond;
    const row = (ours: number, on: string, value: number, as: string): Row => ({
      part: "derived",
      unit: "/s",
      ours,
      better: "more",
      what: `orders created on ${on} addresses, ${CONNECTIONS} connections`,
      limit: { what: `the same on ${as}`, value },
    });
    return [
      row(derived, "derived", pasted, "an imported address list"),
      row(derived, "derived", shared, "a shared address"),
    ];
  } finally {
    for (const connection of open) connection.close();
    await web.stop();
    await world.close();
  }
}

/**
 * Inserts an idle address for every order.
 * @param xpub null: the addresses were pasted
 */
async function seedOwn(db: Db, merchantId: string, xpub: string | null): Promise<void> {
  const now = new Date();
  const family = "evm" as const;
  const id = newId(now);
  if (xpub)
    await db.insert(addressSources).values({
      id,
      merchantId,
      family,
      networks: [NETWORK],
      max: 10_000,
      nextIndex: COUNT,
      createdAt: now,
      keyCipher: encrypt(APP_SECRET, `address_sources:${id}`, xpub),
      keyHash: createHash("sha256").update(xpub).digest("hex"),
    });
  for (let from = 0; from < COUNT; from += CONCURRENCY) {
    const indexes = Array.from({ length: Math.min(CONCURRENCY, COUNT - from) }, (_, step) => from + step);
    const derived = xpub ? deriveAddresses(family, xpub, from, indexes.length) : [];
    const rows = indexes.map((sourceIndex, step) => {
      const address = derived[step] ?? `0x9${sourceIndex.toString(16).padStart(39, "0")}`;
      const cursor = { merchantId, network: NETWORK, address, kind: "dedicated" as const };
      const source = xpub ? { sourceId: id, sourceIndex } : undefined;
      const mac = addressMac(APP_SECRET, cursor, source);
      return {
        id: newId(now),
        ...cursor,
        ...source,
        source: xpub ? "xpub" : "pasted",
        family,
        mac,
        createdAt: now,
      } as const;
    });
    await db.insert(familyAddresses).values(rows.map(({ address }) => ({ family, address, merchantId })));
    await db.insert(receivingAddresses).values(rows);
  }
}
