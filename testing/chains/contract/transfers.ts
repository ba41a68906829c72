import { describe, expect, test } from "vitest";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { getToken } from "@/lib/domain/networks";
import { type ContractSection, openEndpoints } from "@/testing/chains/contract/driver";

/** Tests that transfers are found and classified. */
export const testTransfers: ContractSection = (endpoints, driver) => {
  const { network, blocks, unknownTxId } = driver;
  const token = canonicalAddress(network.family, getToken(network, "USDT").contract);

  async function watch() {
    const [{ url }] = await openEndpoints(endpoints, driver, 0);
    return endpoints.watch([url]);
  }

  describe("expected transfers", () => {
    test("a payment is stored with its token, amount, addresses, id, position and block time", async () => {
      const watched = await watch();
      await watched.pay();
      await watched.mine(blocks.final);
      await watched.until(watched.isTrue);
      const [one] = watched.expected;
      const [row, ...others] = await watched.ledger();
      expect(others).toEqual([]);
      expect(row).toMatchObject({
        network: network.id,
        currency: "USDT",
        token,
        status: "confirmed",
        toAddress: one?.to,
        baseUnits: one?.baseUnits,
        txId: one?.txId,
        position: one?.position,
        blockTime: one?.blockTime,
      });
      if (one?.from) expect(row?.fromAddress).toBe(one.from);
    });

    test("two payments of one transaction pay two orders, each with a position of its own", async () => {
      const watched = await watch();
      await watched.pay(2);
      await watched.mine(blocks.final);
      await watched.until(watched.isTrue);
      const rows = await watched.ledger();
      expect(new Set(rows.map(({ txId }) => txId)).size).toBe(1);
      expect(new Set(rows.map(({ position }) => position)).size).toBe(2);
    });

    test("two payments of one transaction to one address are credited with all that arrived", async () => {
      const watched = await watch();
      await watched.payTwice();
      await watched.mine(blocks.final);
      await watched.until(async () => watched.expected.length > 0 && (await watched.mistakes()).length === 0);
      const sum = (all: readonly { baseUnits: bigint }[]) =>
        all.reduce((total, { baseUnits }) => total + baseUnits, 0n);
      expect(sum(await watched.ledger())).toBe(sum(watched.expected));
    });

    test("other tokens, failed transactions and transfers of nothing pay nothing", async () => {
      const watched = await watch();
      const { noises } = endpoints.world.chain;
      for (const noise of noises) if (noise !== "unreadable") await watched.sendNoise(noise);
      await watched.pay();
      await watched.mine(blocks.final);
      await watched.until(async () => (await watched.paid()) === 1 && (await watched.mistakes()).length === 0);
      const rows = await watched.ledger();
      // A transfer of a look-alike token is in the ledger, so that users see it, but it is not credited to an order.
      const isLookAlike = (row: (typeof rows)[number]) => row.currency === null && row.orderId === null;
      expect(rows.filter((row) => !isLookAlike(row))).toHaveLength(1);
      expect(rows.filter(isLookAlike)).toHaveLength(network.lookAlikes.length > 0 ? 1 : 0);
    });

    test("a transaction is shown as a receipt with its transfers; one that no chain has is null", async () => {
      const watched = await watch();
      await watched.pay(2);
      await watched.mine(blocks.final);
      await watched.until(watched.isTrue);
      const [row] = await watched.ledger();
      const owners = new Set(watched.expected.map(({ to }) => to));
      const expected = watched.expected.map(({ to, baseUnits }) => ({ to, baseUnits, token }));
      const shownBy = (
        seen: { transfers: readonly { token: string; to: string; baseUnits: bigint }[] } | null | undefined,
      ) =>
        seen?.transfers
          .filter(({ to }) => owners.has(to))
          .map(({ to, baseUnits, token: moved }) => ({ to, baseUnits, token: moved }));
      const receipt = await watched.reader?.receipt(row?.txId ?? "");
      expect(receipt).toMatchObject({ isSuccess: true, blockHeight: row?.blockHeight, blockHash: row?.blockHash });
      expect(shownBy(receipt)).toEqual(expect.arrayContaining(expected));
      const seen = await watched.reader?.lookUp(row?.txId ?? "", owners);
      expect(seen?.isSuccess).toBe(true);
      expect(shownBy(seen)).toEqual(expect.arrayContaining(expected));
      expect(await watched.reader?.receipt(unknownTxId)).toBeNull();
      expect(await watched.reader?.lookUp(unknownTxId, owners)).toBeNull();
    });
  });
};
