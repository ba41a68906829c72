import { sql } from "drizzle-orm";
import pino from "pino";
import { expect, test } from "vitest";
import { listUnreadable } from "@/db/queries/networks/accounts";
import { type AccountSource, ChainError } from "@/lib/chains/endpoints/source";
import { createSolanaSource } from "@/lib/chains/solana/source";
import { getNetwork } from "@/lib/domain/networks";
import { newAccountMemory } from "@/lib/watch/accounts/account-step";
import { scanAccountNetwork } from "@/lib/watch/accounts/scan-account-network";
import { leaseNetwork } from "@/lib/watch/network-reader";
import { ownerNamed } from "@/testing/chains/solana";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant } from "@/testing/database/seed";

const testDb = useTestDb();
const network = getNetwork("solana");
const now = new Date("2026-01-01T12:00:00Z");
const log = pino({ level: "silent" });
const TX = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";

/** Creates a chain with one transaction, which every account's history contains and no endpoint can return. */
function chainWithOne(slot: number) {
  let height = slot;
  const unreadable = () => new ChainError("unreadable", "transaction version is not known", { isUnanimous: true });
  const source: AccountSource = {
    ...createSolanaSource(network, { urls: ["http://127.0.0.1:1"], now: () => now }),
    head: async () => {
      height += 1;
      return { height, hash: `hash-${height}`, parentHash: `hash-${height - 1}`, time: now, finalizedHeight: slot - 1 };
    },
    accountsOf: async () => [],
    history: async () => [{ signature: TX, slot, err: null }],
    transfers: async () => Promise.reject(unreadable()),
  };
  return source;
}

test("two merchants in one unreadable transaction both get reports, also where one is watched later", async () => {
  const { db } = testDb.pool;
  await empty(db, "merchants", "cursors");
  const source = chainWithOne(1_000);
  const scanner = {
    owner: "one",
    publicUrl: "https://pay.example.com",
    memory: newAccountMemory(),
    log,
    maxAccounts: 50,
  };
  await leaseNetwork(db, "solana", "one");
  const merchants: string[] = [];
  for (const name of ["first", "second"]) {
    const { id: merchantId } = await seedMerchant(db, now);
    const address = ownerNamed(name).publicKey.toBase58();
    await seedAddress(db, { merchantId, network: "solana", address }, now);
    merchants.push(merchantId);
    await scanAccountNetwork(db, source, network, scanner, now);
  }
  for (const merchantId of merchants) {
    const reported = await listUnreadable(db, merchantId, 10);
    expect(new Set(reported.map(({ txId }) => txId))).toEqual(new Set([TX]));
  }
  await db.execute(sql`update unreadable_transactions set resolved_at = ${now.toISOString()}::timestamptz`);
  await scanAccountNetwork(db, source, network, scanner, now);
  for (const merchantId of merchants) expect(await listUnreadable(db, merchantId, 10)).toEqual([]);
});
