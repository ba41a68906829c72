import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createPublicClient, http } from "viem";
import { afterEach, expect, test, vi } from "vitest";
import { getNetwork, NETWORKS } from "@/lib/domain/networks";
import { startGuarded } from "@/sandbox/guarded-program";
import { type EvmNode, startEvmNode } from "@/sandbox/nodes/evm-node";
import { FAKE_TOKEN, TEST_TOKEN_ABI } from "@/sandbox/token/install";

const open: EvmNode[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.stop()));
});

async function start(...args: Parameters<typeof startEvmNode>): Promise<EvmNode> {
  const node = await startEvmNode(...args);
  open.push(node);
  return node;
}

const headOf = async (node: EvmNode) => Number(await node.call("eth_blockNumber"));

test.each(NETWORKS.filter(({ family }) => family === "evm"))(
  "$id has its chain id, and its tokens at their real addresses with their real decimals",
  async (network) => {
    const node = await start(network, { blockMs: null });
    const client = createPublicClient({ transport: http(node.url) });
    expect(await client.getChainId()).toBe(Number(network.chainId));
    for (const token of network.tokens) {
      const contract = { address: token.contract as `0x${string}`, abi: TEST_TOKEN_ABI };
      expect(await client.readContract({ ...contract, functionName: "decimals" })).toBe(token.decimals);
      expect(await client.readContract({ ...contract, functionName: "symbol" })).toBe(token.currency);
    }
    const fake = await client.readContract({ address: FAKE_TOKEN, abi: TEST_TOKEN_ABI, functionName: "symbol" });
    expect(fake).toBe("USDT");
  },
);

test("blocks come by themselves, and the finalized one is four behind the head", async () => {
  const node = await start(getNetwork("bsc"), { blockMs: 50 });
  await vi.waitUntil(async () => (await headOf(node)) >= 8, { timeout: 20_000 });
  const client = createPublicClient({ transport: http(node.url) });
  const manual = await start(getNetwork("bsc"), { blockMs: null });
  await manual.call("anvil_mine", ["0x14"]);
  const other = createPublicClient({ transport: http(manual.url) });
  expect((await other.getBlock({ blockTag: "finalized" })).number).toBe(16n);
  expect(await client.getChainId()).toBe(56);
});

test("a stopped chain continues where it was: same blocks, balances and receipts", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate chain "));
  const options = { blockMs: null, stateFile: path.join(folder, "ethereum.json") };
  const [token] = getNetwork("ethereum").tokens;
  const first = await start(getNetwork("ethereum"), options);
  const [account] = (await first.call("eth_accounts")) as string[];
  const data = `0x40c10f19${account?.slice(2).padStart(64, "0")}${5n.toString(16).padStart(64, "0")}`;
  const hash = await first.call("eth_sendTransaction", [{ from: account, to: token?.contract, data }]);
  await first.call("anvil_mine", ["0xa"]);
  const before = await first.call("eth_getBlockByNumber", ["0x1", false]);
  const receipt = await first.call("eth_getTransactionReceipt", [hash]);
  await first.stop();

  const second = await start(getNetwork("ethereum"), options);
  expect(await headOf(second)).toBe(10);
  expect(await second.call("eth_getBlockByNumber", ["0x1", false])).toMatchObject({
    hash: (before as { hash: string }).hash,
  });
  expect(await second.call("eth_getTransactionReceipt", [hash])).toMatchObject({
    blockHash: (receipt as { blockHash: string }).blockHash,
    logs: [{ address: token?.contract.toLowerCase() }],
  });
  await second.stop();
  await rm(folder, { recursive: true });
});

test("a program that reacts late to the stop signal is not killed before, and keeps its data", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate late "));
  const script = `echo "Listening on 127.0.0.1:1"; sleep 0.3; trap 'echo kept > "$0"; exit' TERM; while :; do sleep 0.05; done`;
  const late = await startGuarded("A late program", "/bin/sh", ["-c", script, path.join(folder, "state")]);
  await late.stop();
  expect(await readFile(path.join(folder, "state"), "utf8")).toBe("kept\n");
  await rm(folder, { recursive: true });
});

test("a node without old states mines 20,000 blocks within one call, and forgets none of them", async () => {
  const node = await start(getNetwork("bsc"), { blockMs: null, statesKept: 0 });
  const [account] = (await node.call("eth_accounts")) as string[];
  const data = `0x40c10f19${account?.slice(2).padStart(64, "0")}${5n.toString(16).padStart(64, "0")}`;
  const [token] = getNetwork("bsc").tokens;
  const hash = await node.call("eth_sendTransaction", [{ from: account, to: token?.contract, data }]);
  await node.call("anvil_mine", [`0x${(20_000).toString(16)}`]);
  expect(await headOf(node)).toBe(20_000);
  const logs = await node.call("eth_getLogs", [{ fromBlock: "0x1", toBlock: "0x4e20", address: token?.contract }]);
  expect(logs).toMatchObject([{ blockNumber: "0x1", transactionHash: hash }]);
  expect(await node.call("eth_getBlockByNumber", ["finalized", false])).toMatchObject({ number: "0x4e1c" });
});

test("a node does not outlive a starter that is killed", async () => {
  const guardian = path.resolve("sandbox/guardian.ts");
  const script = `const c = require("node:child_process").spawn(process.execPath, [${JSON.stringify(guardian)}, process.execPath, "-e", "console.log(process.pid);setInterval(()=>{},1e3)"], {detached:true,stdio:["pipe","inherit","inherit"]}); setInterval(()=>{},1e3)`;
  const starter = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const pid = await new Promise<number>((resolve) => starter.stdout.once("data", (text) => resolve(Number(text))));
  expect(isAlive(pid)).toBe(true);
  starter.kill("SIGKILL");
  await vi.waitUntil(() => !isAlive(pid), { timeout: 20_000 });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
