import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { TronWeb } from "tronweb";
import { type Address, createPublicClient, encodeFunctionData, http, pad } from "viem";
import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod";
import { jsonRpc } from "@/sandbox/nodes/json-rpc";
import { startTronNode, type TronNode } from "@/sandbox/nodes/tron-node";
import { TEST_TOKEN_ABI } from "@/sandbox/token/install";
import { toEvmAddress, USDT } from "@/sandbox/tron/network";
import { openTronWallet } from "@/sandbox/wallets/tron-wallet";
import type { Wallet } from "@/sandbox/wallets/wallet";

const LAG = { solid: 5, receipts: 1 };
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const PRIVATE_KEY = "0badc0de".repeat(8);
const open: TronNode[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.stop()));
});

async function start(options: Partial<Parameters<typeof startTronNode>[0]> = {}) {
  const node = await startTronNode({ blockMs: null, lag: LAG, ...options });
  open.push(node);
  const tronWeb = new TronWeb({ fullHost: node.url, privateKey: PRIVATE_KEY });
  return {
    node,
    tronWeb,
    wallet: openTronWallet(node.url),
    mine: (blocks = 1) => node.call("tron_mine", [blocks]),
  };
}

type World = Awaited<ReturnType<typeof start>>;
const Block = z.object({
  number: z.string(),
  hash: z.string(),
  parentHash: z.string(),
  logsBloom: z.string(),
  timestamp: z.string(),
});

async function post(node: TronNode, path: string, body: object = {}): Promise<unknown> {
  const answer = await fetch(`${node.url}${path}`, { method: "POST", body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  return answer.json();
}

async function protocol(node: TronNode, method: string, ...params: unknown[]) {
  const answer = await post(node, "/jsonrpc", { jsonrpc: "2.0", id: 1, method, params });
  return z
    .object({ result: z.unknown().optional(), error: z.object({ code: z.number(), message: z.string() }).optional() })
    .parse(answer);
}

const blockAt = async (node: TronNode, tag: string) =>
  Block.parse((await protocol(node, "eth_getBlockByNumber", tag, false)).result);

const newAddress = (tronWeb: TronWeb) => tronWeb.utils.accounts.generateAccount().address.base58;

async function landed(wallet: Wallet<string>, txId: string) {
  const mined = await wallet.mined(txId);
  if (!mined) throw new Error(`${txId} is in no block`);
  return mined;
}

async function pay({ wallet, mine }: World, to: string, baseUnits: bigint) {
  const txId = await wallet.transfer({ contract: USDT, to, baseUnits });
  await mine(2);
  return landed(wallet, txId);
}

function logsTo(node: TronNode, to: string, range: object) {
  const topics = [TRANSFER, null, [pad(toEvmAddress(to) as `0x${string}`)]];
  return protocol(node, "eth_getLogs", { address: [toEvmAddress(USDT)], topics, ...range });
}

test("a TRC-20 transfer by an unmodified tronweb is one transaction under one id, wherever one asks", async () => {
  const world = await start();
  const { node, tronWeb } = world;
  const to = newAddress(tronWeb);
  const paid = await pay(world, to, 12_500_000n);
  expect(paid.isSuccess).toBe(true);

  const info = await tronWeb.trx.getUnconfirmedTransactionInfo(paid.txId);
  expect(info).toMatchObject({ id: paid.txId, blockNumber: paid.blockHeight, receipt: { result: "SUCCESS" } });
  expect(info.log?.[0]).toMatchObject({
    address: toEvmAddress(USDT).slice(2),
    data: 12_500_000n.toString(16).padStart(64, "0"),
  });
  expect(await post(node, "/wallet/gettransactioninfobyblocknum", { num: paid.blockHeight })).toContainEqual(info);
  const block = await tronWeb.trx.getBlockByNumber(paid.blockHeight);
  expect(block.transactions?.map((one) => one.txID)).toContain(paid.txId);
  expect(await tronWeb.trx.getTransaction(paid.txId)).toMatchObject({
    txID: paid.txId,
    ret: [{ contractRet: "SUCCESS" }],
  });

  const { result } = await logsTo(node, to, { fromBlock: "0x0", toBlock: "latest" });
  const blockHash = `0x${block.blockID}`;
  expect(result).toMatchObject([{ transactionHash: `0x${paid.txId}`, blockHash, removed: false }]);
  expect((await logsTo(node, to, { blockHash })).result).toEqual(result);
  const client = createPublicClient({ transport: http(node.jsonRpcUrl) });
  const receipt = await client.getTransactionReceipt({ hash: `0x${paid.txId}` });
  expect(receipt).toMatchObject({ status: "success", blockHash, transactionHash: `0x${paid.txId}` });
  expect(await (await tronWeb.contract().at(USDT)).methods["balanceOf"]?.(to).call({ from: to })).toBe(12_500_000n);
});

test("blocks look as TRON's: heights inside ids, no bloom, seconds here and milliseconds there", async () => {
  const { node, mine, tronWeb } = await start();
  await mine(3);
  const block = await blockAt(node, "latest");
  const before = await blockAt(node, "0x3");
  expect(block.number).toBe("0x4");
  expect(block.hash.slice(2, 18)).toBe("0000000000000004");
  expect(block.parentHash).toBe(before.hash);
  expect(block.logsBloom).toMatch(/^0x0{512}$/);
  const shown = await tronWeb.trx.getCurrentBlock();
  expect(shown.blockID).toBe(block.hash.slice(2));
  expect(shown.block_header.raw_data.timestamp).toBe(Number(block.timestamp) * 1_000);
  expect(Block.parse((await protocol(node, "eth_getBlockByHash", block.hash, false)).result)).toEqual(block);
  expect((await protocol(node, "eth_chainId")).result).toBe("0x2b6653dc");
  expect((await protocol(node, "eth_getBlockByNumber", "safe", false)).error?.code).toBe(-32602);
  expect((await protocol(node, "eth_sendRawTransaction", "0x")).error?.code).toBe(-32601);
});

test("logs are asked for in bounds: 5,000 blocks, 1,000 topics, blocks of this chain", async () => {
  const { node } = await start();
  const code = async (filter: object) => (await protocol(node, "eth_getLogs", filter)).error?.code;
  expect(await code({ fromBlock: "0x0", toBlock: "0x1389" })).toBe(-32602);
  expect(await code({ fromBlock: "0x0", toBlock: "0x1388" })).toBeUndefined();
  expect(await code({ topics: [Array.from({ length: 1_001 }, () => TRANSFER)] })).toBe(-32602);
  expect(await code({ blockHash: `0x${"1".padStart(16, "0")}${"ab".repeat(24)}` })).toBe(-32602);
});

test("more than 10,000 logs at once are an error", async () => {
  const { node, mine } = await start();
  const [from] = z.array(z.string()).parse(await jsonRpc(node.controlUrl, "eth_accounts", []));
  const to: Address = "0x00000000000000000000000000000000000000aa";
  const args = [Array.from({ length: 2_001 }, () => to), Array.from({ length: 2_001 }, () => 1n)] as const;
  const data = encodeFunctionData({ abi: TEST_TOKEN_ABI, functionName: "batch", args });
  const call = { from, to: toEvmAddress(USDT), data, gas: "0x1c00000" };
  for (let sent = 0; sent < 5; sent += 1) {
    await jsonRpc(node.controlUrl, "eth_sendTransaction", [call]);
    await mine();
  }
  await mine();
  const tooMany = await protocol(node, "eth_getLogs", { fromBlock: "0x0", toBlock: "latest" });
  expect(tooMany.error).toEqual({ code: -32005, message: "query returned more than 10000 results" });
  expect((await protocol(node, "eth_getLogs", { fromBlock: "0x2", toBlock: "0x2" })).result).toHaveLength(2_001);
});

test("what is not there is an empty answer with status 200, and the newest block keeps its receipts for itself", async () => {
  const world = await start();
  const { node, wallet, mine, tronWeb } = world;
  expect(await post(node, "/wallet/gettransactioninfobyid", { value: "ab".repeat(32) })).toEqual({});
  expect(await post(node, "/wallet/gettransactionbyid", { value: "ab".repeat(32) })).toEqual({});
  expect(await post(node, "/wallet/getblockbynum", { num: 99 })).toEqual({});
  expect(await post(node, "/wallet/gettransactioninfobyblocknum", { num: 99 })).toEqual([]);
  const txId = await wallet.transfer({ contract: USDT, to: newAddress(tronWeb), baseUnits: 1n });
  await mine();
  const block = await tronWeb.trx.getCurrentBlock();
  expect(block.transactions?.map((one) => one.txID)).toContain(txId);
  const num = block.block_header.raw_data.number;
  expect(await post(node, "/wallet/gettransactioninfobyblocknum", { num })).toEqual([]);
  await mine();
  expect(await post(node, "/wallet/gettransactioninfobyblocknum", { num })).toHaveLength(
    block.transactions?.length ?? -1,
  );
});

test("a block is solid some blocks later, on every side", async () => {
  const world = await start();
  const { node, tronWeb, mine } = world;
  const paid = await pay(world, newAddress(tronWeb), 1n);
  expect(await tronWeb.trx.getTransactionInfo(paid.txId)).toEqual({});
  await mine(LAG.solid);
  expect(await tronWeb.trx.getTransactionInfo(paid.txId)).toMatchObject({ id: paid.txId });
  const solid = await blockAt(node, "finalized");
  expect((await tronWeb.trx.getConfirmedCurrentBlock()).blockID).toBe(solid.hash.slice(2));
  expect(Number(solid.number)).toBe(Number((await blockAt(node, "latest")).number) - LAG.solid);
});

test("transfers that fail are in a block with their reason and without logs", async () => {
  const { node, tronWeb, mine } = await start();
  const from = tronWeb.defaultAddress.base58 || "";
  await node.call("tron_setBalance", [from, 1_000_000_000]);
  const send = async (feeLimit: number) => {
    const parameters = [
      { type: "address", value: newAddress(tronWeb) },
      { type: "uint256", value: "5" },
    ];
    const built = await tronWeb.transactionBuilder.triggerSmartContract(
      USDT,
      "transfer(address,uint256)",
      { feeLimit },
      parameters,
      from,
    );
    const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built.transaction));
    await mine(2);
    return tronWeb.trx.getUnconfirmedTransactionInfo(sent.txid);
  };
  const reverted = await send(100_000_000);
  expect(reverted).toMatchObject({ result: "FAILED", receipt: { result: "REVERT" } });
  expect(reverted.log).toBeUndefined();
  const starved = await send(1_000_000);
  expect(starved).toMatchObject({ result: "FAILED", receipt: { result: "OUT_OF_ENERGY" } });
  expect(starved.log).toBeUndefined();
  expect((await protocol(node, "eth_getTransactionReceipt", `0x${starved.id}`)).result).toMatchObject({
    status: "0x0",
    logs: [],
  });
});

test("a TRX transfer moves TRX; a foreign signature, a changed amount and a second sending are refused", async () => {
  const { node, tronWeb, mine } = await start();
  const from = tronWeb.defaultAddress.base58 || "";
  const to = newAddress(tronWeb);
  await node.call("tron_setBalance", [from, 10_000_000]);
  const built = await tronWeb.transactionBuilder.sendTrx(to, 4_000_000, from);
  const foreign = await tronWeb.trx.sign(built, "0fee1bad".repeat(8)).catch(() => null);
  expect(foreign).toBeNull();
  const signed = await tronWeb.trx.sign(built);
  const forged = { ...signed, signature: [`${"11".repeat(64)}1b`] };
  expect(await post(node, "/wallet/broadcasttransaction", forged)).toMatchObject({ code: "SIGERROR" });
  const changed = structuredClone(signed);
  Object.assign(changed.raw_data.contract[0]?.parameter.value ?? {}, { amount: 9_000_000 });
  expect(await post(node, "/wallet/broadcasttransaction", changed)).toMatchObject({ code: "SIGERROR" });
  expect(await tronWeb.trx.sendRawTransaction(signed)).toMatchObject({ result: true, txid: signed.txID });
  expect(await post(node, "/wallet/broadcasttransaction", signed)).toMatchObject({ code: "DUP_TRANSACTION_ERROR" });
  await mine(2);
  expect([await tronWeb.trx.getBalance(from), await tronWeb.trx.getBalance(to)]).toEqual([6_000_000, 4_000_000]);
});

test("a reorg puts other blocks in place; the transaction comes back under its id, or never; solid blocks stay", async () => {
  const world = await start();
  const { node, tronWeb, mine } = world;
  await mine(6);
  const to = newAddress(tronWeb);
  const paid = await pay(world, to, 7n);
  const tag = `0x${paid.blockHeight.toString(16)}`;
  const before = await blockAt(node, tag);
  await node.call("tron_reorg", [2]);
  const after = await blockAt(node, tag);
  expect(after.hash).not.toBe(before.hash);
  expect(after.parentHash).toBe(before.parentHash);
  expect((await protocol(node, "eth_getBlockByHash", before.hash, false)).result).toBeNull();
  expect(await tronWeb.trx.getUnconfirmedTransactionInfo(paid.txId)).toEqual({});
  expect((await logsTo(node, to, { fromBlock: "0x0", toBlock: "latest" })).result).toEqual([]);
  await mine(2);
  const again = await tronWeb.trx.getUnconfirmedTransactionInfo(paid.txId);
  expect(again.blockNumber).toBeGreaterThan(paid.blockHeight);
  const { result } = await logsTo(node, to, { fromBlock: "0x0", toBlock: "latest" });
  expect(result).toMatchObject([{ transactionHash: `0x${paid.txId}` }]);
  const signed = await tronWeb.trx.getTransaction(paid.txId);
  await node.call("tron_reorg", [2, { reinclude: false }]);
  await mine(3);
  expect(await tronWeb.trx.getUnconfirmedTransactionInfo(paid.txId)).toEqual({});
  expect(await post(node, "/wallet/broadcasttransaction", signed)).toMatchObject({ result: true });
  await mine(2);
  expect(await tronWeb.trx.getUnconfirmedTransactionInfo(paid.txId)).toMatchObject({ id: paid.txId });
  await expect(node.call("tron_reorg", [6])).rejects.toThrow(/solid/);
});

test("a transaction made on the chain itself is seen as well, under its own id", async () => {
  const { node, tronWeb, mine } = await start();
  const [account] = z.array(z.string()).parse(await jsonRpc(node.controlUrl, "eth_accounts", []));
  const to = newAddress(tronWeb);
  const data = `0x40c10f19${pad(toEvmAddress(to) as `0x${string}`).slice(2)}${"5".padStart(64, "0")}`;
  const call = { from: account, to: toEvmAddress(USDT), data };
  const hash = String(await jsonRpc(node.controlUrl, "eth_sendTransaction", [call]));
  await mine(2);
  const seen = await tronWeb.trx.getTransaction(hash.slice(2));
  expect(seen).toMatchObject({ txID: hash.slice(2), raw_data: { contract: [{ type: "TriggerSmartContract" }] } });
  expect(await tronWeb.trx.getUnconfirmedTransactionInfo(hash.slice(2))).toMatchObject({
    receipt: { result: "SUCCESS" },
  });
  expect((await logsTo(node, to, { fromBlock: "0x0", toBlock: "latest" })).result).toMatchObject([
    { transactionHash: hash },
  ]);
});

test("after a restart the chain continues and finds its transactions by id", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate tron "));
  const options = { stateFile: path.join(folder, "tron.json") };
  const first = await start(options);
  const to = newAddress(first.tronWeb);
  const paid = await pay(first, to, 3n);
  const info = await first.tronWeb.trx.getUnconfirmedTransactionInfo(paid.txId);
  const head = await blockAt(first.node, "latest");
  await first.node.stop();
  const second = await start(options);
  expect(await blockAt(second.node, "latest")).toEqual(head);
  expect(await second.tronWeb.trx.getUnconfirmedTransactionInfo(paid.txId)).toEqual(info);
  await pay(second, to, 4n);
  expect((await logsTo(second.node, to, { fromBlock: "0x0", toBlock: "latest" })).result).toHaveLength(2);
  await second.node.stop();
  await rm(folder, { recursive: true });
});

test("blocks come by themselves, and the payer pays several people in one transaction", async () => {
  const { node, wallet, tronWeb } = await start({ blockMs: 50 });
  const holders = [newAddress(tronWeb), newAddress(tronWeb), newAddress(tronWeb)];
  const txId = await wallet.transferBatch(
    USDT,
    holders.map((to) => ({ to, baseUnits: 2n })),
  );
  const paid = await landed(wallet, txId);
  expect(paid.isSuccess).toBe(true);
  for (const to of holders)
    expect((await logsTo(node, to, { fromBlock: "0x0", toBlock: "latest" })).result).toHaveLength(1);
  await vi.waitUntil(async () => "id" in (await tronWeb.trx.getTransactionInfo(txId)), { timeout: 20_000 });
});
