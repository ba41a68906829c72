import { eq } from "drizzle-orm";
import pino from "pino";
import { expect, test } from "vitest";
import { findRefund } from "@/db/queries/refunds/refund-requests";
import { memberships, orders } from "@/db/schema";
import { validateAddress } from "@/lib/domain/addresses/address";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { createNetworkReader, leaseNetwork } from "@/lib/watch/network-reader";
import { type PlayedStep, playRefund, type RefundPlay } from "@/sandbox/wallets/play-refund";
import { LOCAL_NETWORKS, startTestNetwork } from "@/testing/chains/networks";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant, seedOrder, seedPerson, TEST_APP_SECRET } from "@/testing/database/seed";
import { createNetworkWatcher } from "@/workers/watch-network";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const log = pino({ level: "silent" });
const now = () => new Date();
const OWNER = "01test";
const BUSY = { hasPending: true, isConfirming: true, hasUnconfirmed: true, heldUntil: null };

type NetworkId = (typeof LOCAL_NETWORKS)[number];

async function seedPaidOrder(id: NetworkId, address: string) {
  const merchant = await seedMerchant(db(), now());
  const userId = await seedPerson(db(), { merchantId: merchant.id }, now());
  await db().update(memberships).set({ role: "owner" }).where(eq(memberships.userId, userId));
  const row = await seedAddress(db(), { merchantId: merchant.id, network: id, address }, now());
  const baseUnits = 10n ** BigInt(getToken(getNetwork(id), "USDT").decimals);
  const order = await seedOrder(db(), { address: row, baseUnits, apiKeyId: merchant.keyId }, now());
  await db().update(orders).set({ status: "paid", paidUnits: baseUnits, paidAt: now() }).where(eq(orders.id, order.id));
  return { id: order.id, merchantId: merchant.id };
}

function watcherOf(id: NetworkId, url: string) {
  const network = getNetwork(id);
  const reader = createNetworkReader(
    db(),
    network,
    { urls: [url], now },
    { owner: OWNER, publicUrl: "https://pay.example.com", log },
  );
  const ctx = { publicUrl: "https://pay.example.com", log };
  const watcher = createNetworkWatcher({ db: db(), ctx, reader, network, owner: OWNER, now, endpoints: () => [] });
  watcher.hold("taken", now());
  watcher.see(BUSY);
  return watcher;
}

test.each(LOCAL_NETWORKS)(
  "on %s, a new refund and an open one are played up to the transfer, and the worker completes both",
  async (id) => {
    const chain = await startTestNetwork(id);
    try {
      const order = await seedPaidOrder(id, chain.addressOf(`${id} shop`));
      await leaseNetwork(db(), id, OWNER);
      const watcher = watcherOf(id, chain.url);
      await watcher.watch();
      const steps: PlayedStep[] = [];
      const ctx = {
        publicUrl: "https://pay.example.com",
        appSecret: TEST_APP_SECRET,
        rpcUrl: (network: string) => (network === id ? chain.url : undefined),
        now,
        report: (step: PlayedStep) => void steps.push(step),
      };
      const play = (more: Partial<RefundPlay> = {}) => playRefund(db(), ctx, { tradeId: order.id, ...more });
      const first = await play({ amount: "0.4" });
      // Without a chain to pay on, the refund stays requested.
      await expect(play({ amount: "0.6", network: "polygon" })).rejects.toThrow("no local chain of Polygon");
      const refunds = [first, await play()];
      expect(steps.map(({ step }) => step)).toEqual([
        ...["requested", "claimed", "approved", "sent"],
        ...["requested", "continued", "claimed", "approved", "sent"],
      ]);
      for (const step of steps)
        if (step.step === "claimed")
          expect(validateAddress(getNetwork(id), step.address)).not.toHaveProperty("problem");
      expect(refunds.map(({ microUnits }) => microUnits)).toEqual([400_000n, 600_000n]);
      const statuses = async () => {
        await chain.mine(20);
        await watcher.watch();
        return Promise.all(refunds.map(async ({ id }) => (await findRefund(db(), order.merchantId, { id }))?.status));
      };
      await expect.poll(statuses, { timeout: 60_000, interval: 500 }).toEqual(["completed", "completed"]);
      await expect(play()).rejects.toThrow("refunded already");
      await expect(play({ amount: "1,5" })).rejects.toThrow("not an amount");
      await expect(play({ tradeId: "01unknown" })).rejects.toThrow("no order 01unknown");
    } finally {
      await chain.stop();
    }
  },
  120_000,
);
