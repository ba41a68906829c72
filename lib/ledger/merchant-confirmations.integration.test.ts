import { eq } from "drizzle-orm";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { writeMerchantWait } from "@/db/queries/merchants/networks";
import { findOrderDetail } from "@/db/queries/orders/orders";
import { listOrderTransfers } from "@/db/queries/transfers/transfer-list";
import { callbacks, orders } from "@/db/schema";
import { progressOf } from "@/lib/domain/checkout/facts";
import { confirmTransfers } from "@/lib/ledger/confirm-transfers";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { findCheckout } from "@/lib/orders/find-checkout";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";
import { useScanner } from "@/testing/watch/scanner";

const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }) };
const price = 10_000_000n;
const anvilFinalizedAt = 5;

/** Sets up a network with one order. Its blocks are read, and its transfers matched and confirmed, as in a worker. */
function useShop(network: "ethereum" | "bsc") {
  const scanner = useScanner(network);
  const { world, db, now } = scanner;

  async function round(): Promise<void> {
    const { head } = (await scanner.catchUp()).at(-1) ?? {};
    if (!head) throw new Error("nothing was scanned");
    await matchTransfers(db(), ctx, network, now());
    await confirmTransfers(db(), ctx, world.source, scanner.network, head, now());
    await matchTransfers(db(), ctx, network, now());
  }
  async function mine(blocks: number): Promise<void> {
    await world.chain.mine(blocks);
    await round();
  }
  const ask = (minConfirmations: number | null, merchantId = world.shop.merchantId) =>
    writeMerchantWait(db(), { merchantId, network, minConfirmations, minSeconds: null }, now());
  /** Creates an order and, in the next block, a transfer that pays it. */
  async function payOrder(address = world.shop) {
    const order = await seedOrder(
      db(),
      { address, baseUnits: price, notifyUrl: "https://shop.example.com/hook" },
      now(),
    );
    const txId = await world.chain.pay(scanner.usdt, address.address, price);
    return { ...order, txId };
  }
  const read = async (id: string) => (await db().select().from(orders).where(eq(orders.id, id)))[0];
  const callbacksOf = (id: string) => db().select().from(callbacks).where(eq(callbacks.orderId, id));
  return { ...scanner, round, mine, ask, payOrder, read, callbacksOf };
}

describe("where the network's rule is a depth", () => {
  const { world, db, now, ask, mine, round, payOrder, read, callbacksOf, verify, keptHeights } = useShop("ethereum");

  test("an order waits for its own merchant's number; another merchant's is paid by the network's rule", async () => {
    const other = await seedAddress(db(), { merchantId: (await seedMerchant(db(), now())).id }, now());
    await ask(20);
    const patient = await payOrder();
    const usual = await payOrder(other);
    await mine(12);
    expect([(await read(patient.id))?.status, (await read(usual.id))?.status]).toEqual(["confirming", "paid"]);
    await mine(7);
    expect(await read(patient.id)).toMatchObject({ status: "confirming", paidUnits: 0n });
    expect(await callbacksOf(patient.id)).toEqual([]);
    await mine(1);
    expect(await read(patient.id)).toMatchObject({ status: "paid", paidUnits: price });
    expect(await callbacksOf(patient.id)).toHaveLength(1);
    const detail = await findOrderDetail(db(), { id: patient.id });
    expect(detail?.transfers).toMatchObject([{ status: "confirmed", confirmations: 20, requiredConfirmations: 20 }]);
  });

  test("the API, the payer's page and the back office count up to the same number", async () => {
    await ask(20);
    const { id } = await payOrder();
    await mine(13);
    const detail = await findOrderDetail(db(), { id });
    expect(detail?.transfers).toMatchObject([{ status: "seen", confirmations: 13, requiredConfirmations: 20 }]);
    const facts = await findCheckout(db(), id);
    expect(facts && progressOf(facts)).toMatchObject({ confirmations: 13, required: 20 });
    expect(facts?.chain?.wait?.minConfirmations).toBe(20);
    expect(await listOrderTransfers(db(), world.shop.merchantId, id)).toMatchObject([{ minConfirmations: 20 }]);
  });

  test("a number below the network's rule changes nothing", async () => {
    await ask(3);
    const { id } = await payOrder();
    await mine(11);
    expect((await read(id))?.status).toBe("confirming");
    await mine(1);
    expect((await read(id))?.status).toBe("paid");
  });

  test("a change applies to transfers being confirmed, and reverts nothing that is paid", async () => {
    const { id } = await payOrder();
    await mine(11);
    await ask(100);
    await mine(10);
    expect((await read(id))?.status).toBe("confirming");
    await ask(null);
    await round();
    const paid = await read(id);
    expect(paid?.status).toBe("paid");
    await ask(100);
    await mine(1);
    expect(await read(id)).toEqual(paid);
    const detail = await findOrderDetail(db(), { id });
    expect(detail?.transfers).toMatchObject([{ confirmations: 21, requiredConfirmations: 21 }]);
  });

  describe("a reorg that is deeper than the network's rule, while the merchant still waits", () => {
    /** Creates a payment that is final by the network's rule, in a block that was read twice. Its merchant requires 60 confirmations. */
    async function paidLongAgo() {
      await ask(60);
      await mine(5);
      const order = await payOrder();
      for (let blocks = 0; blocks < 30; blocks++) await mine(1);
      await verify(new Date(now().getTime() + 3_600_000));
      await mine(1);
      expect(await keptHeights()).toContain(22);
      const raw = await world.chain.node.call("eth_getRawTransactionByHash", [order.txId]);
      return { ...order, raw };
    }

    test("takes a payment that vanished back: its order is pending, never paid", async () => {
      const { id, raw, txId } = await paidLongAgo();
      expect((await read(id))?.status).toBe("confirming");
      await world.chain.node.call("anvil_reorg", [34, []]);
      await mine(1);
      expect(await read(id)).toMatchObject({ status: "pending", paidUnits: 0n });
      await mine(70);
      expect(await read(id)).toMatchObject({ status: "pending", paidUnits: 0n });
      expect(await callbacksOf(id)).toEqual([]);
      await world.chain.node.call("eth_sendRawTransaction", [raw]);
      await mine(59);
      expect((await read(id))?.status).toBe("confirming");
      await mine(1);
      expect((await findOrderDetail(db(), { id }))?.settledTxId).toBe(txId);
    });

    test("follows a payment to an earlier block, and counts from there", async () => {
      const { id, raw, txId } = await paidLongAgo();
      const before = (await listOrderTransfers(db(), world.shop.merchantId, id))[0]?.blockHeight ?? 0;
      await world.chain.node.call("anvil_reorg", [34, [[raw, 0]]]);
      await mine(1);
      const [moved, ...more] = await listOrderTransfers(db(), world.shop.merchantId, id);
      expect(more).toEqual([]);
      expect(moved).toMatchObject({ txId, status: "seen" });
      expect(moved?.blockHeight).toBeLessThan(before);
      const left = (moved?.blockHeight ?? 0) + 59 - (await world.chain.height());
      await mine(left - 1);
      expect((await read(id))?.status).toBe("confirming");
      await mine(1);
      expect((await read(id))?.status).toBe("paid");
    });
  });
});

describe("where the network's rule is the `finalized` tag", () => {
  const { ask, mine, payOrder, read } = useShop("bsc");

  test("an order waits for the tag and for the merchant's number", async () => {
    await ask(anvilFinalizedAt + 6);
    const { id } = await payOrder();
    await mine(anvilFinalizedAt + 5);
    expect((await read(id))?.status).toBe("confirming");
    await mine(1);
    expect((await read(id))?.status).toBe("paid");
  });

  test("a number below the tag's lag changes nothing", async () => {
    await ask(2);
    const { id } = await payOrder();
    await mine(anvilFinalizedAt - 1);
    expect((await read(id))?.status).toBe("confirming");
    await mine(1);
    expect((await read(id))?.status).toBe("paid");
  });
});
