import { afterEach, expect, test } from "vitest";
import { createSolanaSource } from "@/lib/chains/solana/source";
import { createTronSource } from "@/lib/chains/tron/source";
import { getNetwork } from "@/lib/domain/networks";
import { startTestSolana, type TestSolana } from "@/testing/chains/solana";
import { startTronChain, type TronChain } from "@/testing/chains/tron";

const now = () => new Date();
let chain: TronChain | TestSolana | undefined;
afterEach(() => chain?.stop());

test("a TRON node with a set lag returns solid blocks and receipts that much later, and can be reset", async () => {
  const tron = await startTronChain(5);
  chain = tron;
  await tron.mine(40);
  const source = () => createTronSource(getNetwork("tron"), { urls: [tron.node.jsonRpcUrl, tron.node.url], now });
  const before = await source().head();
  expect(before.height - (before.finalizedHeight ?? 0)).toBe(4);
  await tron.node.call("tron_setLag", [{ solid: 19, receipts: 1 }]);
  const late = await source().head();
  expect(late.height - (late.finalizedHeight ?? 0)).toBe(18);

  const paid = await tron.pay(`0x${"ab".repeat(20)}`, 5n);
  await tron.mine(2);
  const receipt = async () => {
    const body = JSON.stringify({ value: paid.slice(2) });
    return (await fetch(`${tron.node.url}/wallet/gettransactioninfobyid`, { method: "POST", body })).json();
  };
  expect(await receipt()).toMatchObject({ id: paid.slice(2) });
  await tron.node.call("tron_setLag", [{ solid: 19, receipts: 6 }]);
  expect(await receipt()).toEqual({});
  await tron.node.call("tron_setLag", [{ solid: 5, receipts: 1 }]);
  expect(await receipt()).toMatchObject({ id: paid.slice(2) });
});

test("a Solana node with a set lag returns confirmed and finalized slots that much later", async () => {
  const solana = await startTestSolana({ confirmed: 0, finalized: 32 });
  chain = solana;
  await solana.advance(100);
  const source = createSolanaSource(getNetwork("solana"), { urls: [solana.node.url], now });
  expect(await source.head()).toMatchObject({ height: 100, finalizedHeight: 68 });
  await solana.node.call("solana_setLag", [{ confirmed: 3, finalized: 60 }]);
  await solana.advance(10);
  expect(await source.head()).toMatchObject({ height: 107, finalizedHeight: 68 });
  await solana.advance(30);
  expect(await source.head()).toMatchObject({ height: 137, finalizedHeight: 80 });
});
