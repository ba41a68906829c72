import { expect, test } from "vitest";
import { findNetwork, type Network } from "@/lib/domain/networks";
import { useScanner } from "@/testing/watch/scanner";

/** A row for a network that is not in the table, with everything that a new EVM network needs. */
const gnosis: Network = {
  id: "gnosis",
  aliases: ["xdai"],
  family: "evm",
  chainId: "100",
  name: "Gnosis",
  standard: "ERC20",
  color: { background: "#133629", text: "#ffffff" },
  blockMs: 5_000,
  finality: { by: "finalized", depth: 64 },
  pace: { everyMs: 2_000, behindMs: 2_000 },
  explorer: {
    name: "Gnosisscan",
    tx: "https://gnosisscan.io/tx/{}",
    address: "https://gnosisscan.io/address/{}",
    token: "https://gnosisscan.io/token/{}",
  },
  tokens: [
    { currency: "USDT", contract: "0x4ECaBa5870353805a9F068101A40E0f32ed605C6", decimals: 6 },
    { currency: "USDC", contract: "0x2a22f9c3b484c3629090FeED35F17Ff8F88f76F0", decimals: 6 },
  ],
  lookAlikes: [],
};

const { world, usdt, usdc, catchUp, verify, ledger } = useScanner(gnosis);

test("an EVM network that is only a row is checked, read, reorganised and confirmed like all others", async () => {
  expect(findNetwork("gnosis")).toBeNull();
  expect(await world.source.problem()).toBeNull();
  const kept = await world.chain.pay(usdt, world.shop.address, 5n);
  await world.chain.mine();
  await catchUp();
  const lost = await world.chain.pay(usdc, world.shop.address, 7n);
  await world.chain.mine();
  await catchUp();
  await world.chain.node.call("anvil_reorg", [1, []]);
  await world.chain.mine(5);
  await catchUp();
  await verify();
  const rows = await ledger();
  expect(rows).toMatchObject([
    { network: "gnosis", txId: kept, currency: "USDT", baseUnits: 5n, status: "seen" },
    { network: "gnosis", txId: lost, currency: "USDC", baseUnits: 7n, status: "dropped" },
  ]);
  const [row] = rows;
  if (!row) throw new Error("unreachable");
  expect(await world.source.checkFinality({ ...row, to: row.toAddress })).toEqual({ kind: "final" });
});
