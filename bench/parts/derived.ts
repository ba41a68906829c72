import { createHash } from "node:crypto";
import { Connection, measureTimes, type Work } from "@/bench/load";
import type { Row } from "@/bench/table/line";
import { startWebProcess } from "@/bench/web-process";
import { APP_SECRET, addMerchant, CONNECTIONS, startWorld } from "@/bench/world";
import type { Db } from "@/db/client";
import { addressSources, familyAddresses, receivingAddresses } from "@/db/schema";
import { deriveAddresses } from "@/lib/domain/addresses/xpub";
import { newId } from "@/lib/domain/id";
import { addressMac, seal } from "@/lib/merchants/vault";

/** m/44'/60'/0' of the mnemonic "abandon … about", which everybody has. */
const XPUB =
  "xpub6DCoCpSuQZB33fTd4N4P2SqWZdpSC8UUdW6ASdbyGs5WRSfbbyqCWXWe4zD2g9ngqy2ri77ygfHerZhorocu6uijBhL9z9T6JhNjfVohQx5";
const NETWORK = "ethereum";
const ROUNDS = 4;
const TIMES = 1_000;
const WARM_UP = 400;
const AT_ONCE = 500;

/** Orders of a shop with addresses derived before, beside those of one with a shared address: turn by turn in one web process. */
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
    await seedDerived(db, shop.merchantId, ROUNDS * TIMES + WARM_UP);
    const [derived, shared] = [by(shop.apiKey), by(world.apiKey)];
    let [ours, value] = [0, 0];
    for (const work of [derived, shared]) await measureTimes(WARM_UP, CONNECTIONS, work);
    // As autovacuum does within the first minute: what was planned for empty tables is planned anew.
    await sql`analyze quotes`;
    await sql`analyze receiving_addresses`;
    for (let round = 0; round < ROUNDS; round++) {
      ours += (await measureTimes(TIMES, CONNECTIONS, derived)).perSecond / ROUNDS;
      value += (await measureTimes(TIMES, CONNECTIONS, shared)).perSecond / ROUNDS;
    }
    const [used] = await sql`select count(distinct address)::int as count from quotes
      where merchant_id = ${shop.merchantId} and kind = 'dedicated'`;
    if (used?.["count"] !== ROUNDS * TIMES + WARM_UP) throw new Error("Two orders held one derived address");
    const what = `orders created on derived addresses, ${CONNECTIONS} connections`;
    const limit = { what: "the same on a shared address", value };
    return [{ part: "derived", what, unit: "/s", ours, limit, better: "more" }];
  } finally {
    for (const connection of open) connection.close();
    await web.stop();
    await world.close();
  }
}

async function seedDerived(db: Db, merchantId: string, count: number): Promise<void> {
  const now = new Date();
  const id = newId(now);
  const family = "evm" as const;
  await db.insert(addressSources).values({
    ...{ id, merchantId, family, networks: [NETWORK], most: 10_000, nextIndex: count, createdAt: now },
    keyCipher: seal(APP_SECRET, `address_sources:${id}`, XPUB),
    keyHash: createHash("sha256").update(XPUB).digest("hex"),
  });
  for (let from = 0; from < count; from += AT_ONCE) {
    const derived = deriveAddresses(family, XPUB, from, Math.min(AT_ONCE, count - from));
    await db.insert(familyAddresses).values(derived.map((address) => ({ family, address, merchantId })));
    const rows = derived.map((address, step) => {
      const place = { merchantId, network: NETWORK, address, kind: "dedicated" as const };
      const derivation = { sourceId: id, sourceIndex: from + step };
      const mac = addressMac(APP_SECRET, place, derivation);
      return { id: newId(now), ...place, ...derivation, family, source: "xpub" as const, mac, createdAt: now };
    });
    await db.insert(receivingAddresses).values(rows);
  }
}
