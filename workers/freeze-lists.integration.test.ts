import { encodeFunctionData } from "viem";
import { expect, test, vi } from "vitest";
import { insertRefund } from "@/db/queries/refunds/refund-requests";
import { refundRequests } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { claimRefund } from "@/lib/refunds/claim-refund";
import { TEST_TOKEN_ABI } from "@/sandbox/token/install";
import { startTestChain } from "@/testing/chains/evm";
import { seedAddress, seedOrder } from "@/testing/database/seed";
import { useShop } from "@/testing/database/shop";
import { useWorkers } from "@/testing/watch/worker";

const { testDb, db, shop, ctx } = useShop();
const workers = useWorkers();
const PATIENCE = { timeout: 60_000, interval: 50 };
const LISTED = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const OTHER = "0x52908400098527886E0F7030069857D2E4169EE7";

test("a worker checks the addresses of new claims against the freeze list of their token", async () => {
  const ethereum = getNetwork("ethereum");
  const chain = await startTestChain(ethereum);
  try {
    const data = encodeFunctionData({
      abi: TEST_TOKEN_ABI,
      functionName: "setBlackListed",
      args: [LISTED, true],
    });
    await chain.send({ to: getToken(ethereum, "USDT").contract, data });
    await chain.mine();
    workers.start({ DATABASE_URL: testDb.url, LOG_LEVEL: "error", ETHEREUM_RPC_URLS: chain.node.url });
    for (const address of [LISTED, OTHER]) await claim(address);
    const states = async () =>
      new Map((await db().select().from(refundRequests)).map((row) => [row.address, row.freezeState]));
    await vi.waitUntil(async () => [...(await states()).values()].every((state) => state !== null), PATIENCE);
    expect(await states()).toEqual(
      new Map([
        [LISTED.toLowerCase(), "listed"],
        [OTHER.toLowerCase(), "notListed"],
      ]),
    );
  } finally {
    await chain.stop();
  }
});

/** Claims a new refund of 5 USDT for an address. */
async function claim(address: string): Promise<void> {
  const now = new Date();
  const { id: merchantId } = shop.merchant;
  const receiving = await seedAddress(db(), { merchantId }, now);
  const { id: orderId } = await seedOrder(db(), { address: receiving, baseUnits: 5_000_000n }, now);
  const id = newId(now);
  const subject = { id, merchantId, orderId, transferId: null, apiKeyId: null, requestedBy: null, mchRefundId: null };
  const terms = { currency: "USDT", microUnits: 5_000_000n, price: null, reason: null, email: null } as const;
  const expiresAt = new Date(now.getTime() + 3_600_000);
  await insertRefund(db(), { ...subject, ...terms, integration: "api", echo: null, expiresAt }, now);
  const input = { network: "ethereum", address, confirmation: address.slice(-4), check: "" };
  expect(await claimRefund(db(), ctx, id, input, now)).toBeNull();
}
