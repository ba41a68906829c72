import { describe, expect, test } from "vitest";
import { auditEvents, transfers } from "@/db/schema";
import { createEvmSource } from "@/lib/chains/evm/source";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { getNetwork, type Network } from "@/lib/domain/networks";
import { startRpcProxy } from "@/testing/chains/evm";
import { useScanner } from "@/testing/watch/scanner";

const { world, network, usdt, db, now, catchUp, newScanner, goBackTo, ledger } = useScanner("optimism");
const [bridged] = getNetwork("optimism").lookAlikes;
if (!bridged) throw new Error("Optimism has a look-alike of USDT");
const contract = canonicalAddress("evm", bridged.contract);

/** Switches the reader to token lists that differ from the network's row. */
function switchTo(lists: Partial<Pick<Network, "tokens" | "lookAlikes">>, url = world.chain.node.url): void {
  world.source = createEvmSource({ ...network, ...lists }, { urls: [url], now });
}

/** Reads all blocks again, like a worker with an empty memory. */
async function readAgain(): Promise<void> {
  await goBackTo(20);
  world.scanner = newScanner(world.scanner.owner);
  await catchUp();
}

test("a look-alike is watched at the same addresses by the same query, and is in the ledger without a currency", async () => {
  const proxy = await startRpcProxy(world.chain.node.url);
  switchTo({}, proxy.url);
  const txId = await world.chain.pay(bridged.contract, world.shop.address, 5n);
  await world.chain.mine();
  await catchUp();
  expect(await ledger()).toMatchObject([{ txId, token: contract, currency: null, position: `${contract}:0` }]);
  expect(proxy.calls.get("eth_getLogs")).toBe(1);
  await proxy.stop();
});

describe("blocks that were read with another list of tokens", () => {
  test("is found again under its old name when look-alikes are switched off, and on again", async () => {
    await world.chain.pay(usdt, world.shop.address, 3n);
    await world.chain.pay(bridged.contract, world.shop.address, 5n);
    await world.chain.mine();
    await catchUp();
    const before = await ledger();
    expect(before).toHaveLength(2);
    for (const lookAlikes of [[], network.lookAlikes]) {
      switchTo({ lookAlikes });
      await readAgain();
      expect(await ledger()).toEqual(before);
    }
  });

  test("a transfer remains valid when its token is disabled, and no reorg marks it as lost", async () => {
    await world.chain.pay(usdt, world.shop.address, 3n);
    await world.chain.pay(bridged.contract, world.shop.address, 5n);
    await world.chain.mine(2);
    await catchUp();
    switchTo({ tokens: network.tokens.filter(({ currency }) => currency !== "USDT"), lookAlikes: [] });
    for (const row of await ledger()) {
      expect(await world.source.checkFinality({ ...row, to: row.toAddress })).toEqual({ kind: "final" });
    }
    await db().update(transfers).set({ status: "confirmed", matchedAt: now(), blockHeight: 22 });
    await world.chain.node.call("anvil_reorg", [1, []]);
    await world.chain.mine();
    const steps = await catchUp();
    expect(steps.map(({ kind }) => kind)).toContain("rewound");
    expect(await db().select().from(auditEvents)).toEqual([]);
  });
});

describe("the start-up check", () => {
  test("finds nothing wrong with the row", async () => {
    expect(await world.source.problem()).toBeNull();
    expect(world.source.warning()).toBeNull();
  });

  test("leaves out a look-alike whose decimals differ, with a message, and nothing else", async () => {
    const [first, ...others] = network.lookAlikes;
    switchTo({ lookAlikes: first ? [{ ...first, decimals: 18 }, ...others] : [] });
    expect(await world.source.problem()).toBeNull();
    expect(world.source.warning()).toMatch(
      /^bridged USDT on Optimism \(0x94b0.*: the chain returns 6 decimals, but the networks table has 18\. .*payments are not affected\.$/,
    );
    const paid = await world.chain.pay(usdt, world.shop.address, 3n);
    await world.chain.pay(bridged.contract, world.shop.address, 5n);
    const watched = await world.chain.pay(others[0]?.contract ?? "", world.shop.address, 7n);
    await world.chain.mine();
    await catchUp();
    expect((await ledger()).map(({ txId }) => txId).sort()).toEqual([paid, watched].sort());
  });
});
