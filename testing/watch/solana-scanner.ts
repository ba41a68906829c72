import { eq } from "drizzle-orm";
import pino from "pino";
import { afterEach, beforeEach } from "vitest";
import { accountCursors, blocks, cursors, transfers } from "@/db/schema";
import type { AccountSource } from "@/lib/chains/endpoints/source";
import { createSolanaSource } from "@/lib/chains/solana/source";
import { getNetwork } from "@/lib/domain/networks";
import { confirmTransfers } from "@/lib/ledger/confirm-transfers";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { type AccountScanner, newAccountMemory } from "@/lib/watch/accounts/account-step";
import { scanAccountNetwork } from "@/lib/watch/accounts/scan-account-network";
import { leaseNetwork } from "@/lib/watch/network-reader";
import type { ScanStep } from "@/lib/watch/scan/scan-state";
import { verifyAccounts } from "@/lib/watch/verify/verify-accounts";
import { verifySlots } from "@/lib/watch/verify/verify-slots";
import { ownerNamed, startTestSolana, type TestSolana } from "@/testing/chains/solana";
import { useTestDb } from "@/testing/database/clone";
import { empty, WATCHED } from "@/testing/database/empty";
import { seedAddress, seedMerchant } from "@/testing/database/seed";

const log = pino({ level: "silent" });
const ctx = { publicUrl: "https://pay.example.com", log };
const MAX_STEPS = 500;
const RENEW_MS = 2_000;
const network = getNetwork("solana");
const now = () => new Date();

export const BY_ACCOUNTS = 50;
export const BY_SLOTS = 0;

/** Provides a chain for ledgers to read; it is recreated for every test. */
export function useSolanaChain(): { chain: TestSolana } {
  const world = {} as { chain: TestSolana };
  beforeEach(async () => {
    world.chain = await startTestSolana();
    await world.chain.advance(40);
  });
  afterEach(() => world.chain.stop());
  return world;
}

/**
 * Provides a separate ledger for the receiving addresses of `names`. The ledger is empty before every test. `maxAccounts` is the number of
 * token accounts up to which it reads histories instead of blocks.
 */
export function useSolanaLedger(world: { chain: TestSolana }, maxAccounts: number, names = ["shop"]) {
  const testDb = useTestDb();
  const db = () => testDb.pool.db;
  const state = {} as { source: AccountSource; scanner: AccountScanner; shop: Awaited<ReturnType<typeof seedAddress>> };
  const newScanner = (owner = "one"): AccountScanner => ({
    owner,
    memory: newAccountMemory(),
    log,
    maxAccounts,
    publicUrl: "",
  });
  const sourceOf = (...urls: string[]) => createSolanaSource(network, { urls, now });
  const step = () => scanAccountNetwork(db(), state.source, network, state.scanner, now());

  /** Scans until nothing is left to read. */
  async function catchUp(): Promise<ScanStep[]> {
    const renew = () => leaseNetwork(db(), network.id, state.scanner.owner);
    await renew();
    // A worker also renews its lease during its steps: on a slow machine, a step may take longer than a lease.
    const renewing = setInterval(() => void renew(), RENEW_MS);
    const steps: ScanStep[] = [];
    try {
      do steps.push(await step());
      while (mustGoOn(steps.at(-1)) && steps.length < MAX_STEPS);
    } finally {
      clearInterval(renewing);
    }
    return steps;
  }

  /** Catches up, matches and confirms, as a worker's round does. */
  async function settle(): Promise<void> {
    const head = (await catchUp()).at(-1)?.head;
    await matchTransfers(db(), ctx, network.id, now());
    if (head) await confirmTransfers(db(), ctx, state.source, network, head, now());
    await matchTransfers(db(), ctx, network.id, now());
  }

  beforeEach(async () => {
    await empty(db(), ...WATCHED);
    state.source = sourceOf(world.chain.node.url);
    state.scanner = newScanner();
    const merchantId = (await seedMerchant(db(), now())).id;
    for (const name of names) {
      const address = ownerNamed(name).publicKey.toBase58();
      state.shop = await seedAddress(db(), { merchantId, network: network.id, address }, now());
    }
  });

  return {
    state,
    network,
    ctx,
    db,
    now,
    step,
    catchUp,
    settle,
    newScanner,
    sourceOf,
    verify: async (at = now()) =>
      verifyAccounts(db(), state.source, network, state.scanner, await state.source.head(), at),
    verifyBlocks: async (at = now()) => {
      await leaseNetwork(db(), network.id, state.scanner.owner);
      return verifySlots(db(), state.source, network, state.scanner, await state.source.head(), at);
    },
    ledger: () => db().select().from(transfers).orderBy(transfers.txId, transfers.position),
    cursor: async () => (await db().select().from(cursors).where(eq(cursors.network, network.id)))[0],
    accounts: () => db().select().from(accountCursors),
    keptBlocks: () => db().select().from(blocks).orderBy(blocks.height),
  };
}

function mustGoOn(step: ScanStep | undefined): boolean {
  return step?.isCaughtUp === false && step.kind !== "idle" && step.kind !== "lostLease";
}
