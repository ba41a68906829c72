import { createPublicClient, http, parseEventLogs } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { type EvmNode, startEvmNode } from "@/sandbox/nodes/evm-node";
import { FAKE_TOKEN, TEST_TOKEN_ABI } from "@/sandbox/token/install";
import { openWallet, type Wallet } from "@/sandbox/wallets/wallet";

const bsc = getNetwork("bsc");
const token = getToken(bsc, "USDC");
const merchant = "0x00000000000000000000000000000000000000a1";
const other = "0x00000000000000000000000000000000000000b2";
let node: EvmNode;

beforeAll(async () => {
  node = await startEvmNode(bsc, { blockMs: 50 });
});
afterAll(() => node.stop());

async function eventsOf(txId: `0x${string}`) {
  const receipt = await createPublicClient({ transport: http(node.url) }).getTransactionReceipt({ hash: txId });
  return parseEventLogs({ abi: TEST_TOKEN_ABI, logs: receipt.logs, eventName: "Transfer" }).map(
    ({ address, args }) => ({
      token: address.toLowerCase(),
      from: args.from.toLowerCase(),
      to: args.to.toLowerCase(),
      value: args.value,
    }),
  );
}

const minedOf = async (wallet: Wallet, sent: Promise<`0x${string}`>) => {
  const mined = await wallet.mined(await sent);
  if (!mined) throw new Error("No block took the transaction");
  return mined;
};

test("a transfer moves exactly its base units and emits exactly one Transfer of that token", async () => {
  const wallet = await openWallet(node.url);
  const baseUnits = 12_500_100_000_000_000_001n;
  const { txId, isSuccess } = await minedOf(
    wallet,
    wallet.transfer({ contract: token.contract, to: merchant, baseUnits }),
  );
  expect(isSuccess).toBe(true);
  expect(await eventsOf(txId)).toEqual([
    { token: token.contract.toLowerCase(), from: wallet.address.toLowerCase(), to: merchant, value: baseUnits },
  ]);
});

test("a batch pays several recipients in one transaction", async () => {
  const wallet = await openWallet(node.url);
  const payments = [
    { to: merchant, baseUnits: 1n },
    { to: other, baseUnits: 2n },
    { to: merchant, baseUnits: 3n },
  ];
  const { txId } = await minedOf(wallet, wallet.transferBatch(token.contract, payments));
  expect((await eventsOf(txId)).map(({ to, value }) => ({ to, baseUnits: value }))).toEqual(payments);
});

test("many payments of many payers at once are all mined", async () => {
  const wallets = await Promise.all([1, 2, 3].map(() => openWallet(node.url)));
  const payment = { contract: token.contract, to: other, baseUnits: 7n };
  const sent = Array.from({ length: 20 }, (_, index) => wallets[index % 3] as Wallet);
  const mined = await Promise.all(sent.map((wallet) => minedOf(wallet, wallet.transfer(payment))));
  expect(new Set(mined.map(({ txId }) => txId)).size).toBe(20);
  expect(mined.every(({ isSuccess }) => isSuccess)).toBe(true);
});

test("payments of one payer at once do not take each other's place, however the base fee moves", async () => {
  const wallet = await openWallet(node.url);
  const payment = { contract: token.contract, to: other, baseUnits: 7n };
  let isOver = false;
  const feeMoves = (async () => {
    for (let step = 0n; !isOver; step = (step + 1n) % 5n) {
      const wei = 1_000_000_000n + 30_000_000n * step;
      await node.call("anvil_setNextBlockBaseFeePerGas", [`0x${wei.toString(16)}`]);
    }
  })();
  try {
    const sent = await Promise.all(Array.from({ length: 30 }, () => wallet.transfer(payment)));
    const mined = await Promise.all(sent.map((txId) => wallet.mined(txId)));
    expect(mined.map((payment) => payment?.txId)).toEqual(sent);
  } finally {
    isOver = true;
    await feeMoves;
  }
});

test("the fake token moves as well as a real one", async () => {
  const wallet = await openWallet(node.url);
  const { txId } = await minedOf(wallet, wallet.transfer({ contract: FAKE_TOKEN, to: merchant, baseUnits: 5n }));
  expect(await eventsOf(txId)).toMatchObject([{ token: FAKE_TOKEN, to: merchant, value: 5n }]);
});

test("a payment that a reorg took back can be sent again as it was", async () => {
  const manual = await startEvmNode(bsc, { blockMs: null });
  try {
    const wallet = await openWallet(manual.url);
    await manual.call("anvil_mine", ["0x14"]);
    const txId = await wallet.transfer({ contract: token.contract, to: merchant, baseUnits: 9n });
    await manual.call("anvil_mine", ["0x3"]);
    const raw = await manual.call("eth_getRawTransactionByHash", [txId]);
    await manual.call("anvil_reorg", [10, []]);
    expect(await manual.call("eth_getTransactionReceipt", [txId])).toBeNull();
    await manual.call("eth_sendRawTransaction", [raw]);
    await manual.call("evm_mine");
    expect(await wallet.mined(txId)).toMatchObject({ isSuccess: true });
  } finally {
    await manual.stop();
  }
});
