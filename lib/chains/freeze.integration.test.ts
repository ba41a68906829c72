import { Keypair, PublicKey, TransactionInstruction } from "@solana/web3.js";
import { encodeFunctionData } from "viem";
import { afterEach, expect, test } from "vitest";
import { openNetwork } from "@/lib/chains/families";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { getNetwork, getToken, type Network } from "@/lib/domain/networks";
import { jsonRpc } from "@/sandbox/nodes/json-rpc";
import { PAYER } from "@/sandbox/solana/accounts/mints";
import { TEST_TOKEN_ABI } from "@/sandbox/token/install";
import { startRpcProxy, startTestChain } from "@/testing/chains/evm";
import { accountOf, minting, startTestSolana } from "@/testing/chains/solana";
import { startTronChain, TRON_USDT } from "@/testing/chains/tron";

const LISTED = `0x${"c1".repeat(20)}`;
const OTHER = `0x${"c2".repeat(20)}`;
const REVERTS = `0x${"5e".repeat(20)}`;
const NOT_A_BOOL = `0x${"5f".repeat(20)}`;
const ethereum = getNetwork("ethereum");
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const contractOf = (network: Network, currency: "USDT" | "USDC") =>
  canonicalAddress(network.family, getToken(network, currency).contract);
const sourceOf = (network: Network, ...urls: string[]) =>
  openNetwork(network, { urls, now: () => new Date(), timeoutMs: 5_000 });
const listing = (address: string) =>
  encodeFunctionData({
    abi: TEST_TOKEN_ABI,
    functionName: "setBlackListed",
    args: [address as `0x${string}`, true],
  });

test("on EVM networks, USDT and USDC contracts return whether they block an address", async () => {
  const chain = await startTestChain(ethereum);
  stops.push(chain.stop);
  const source = sourceOf(ethereum, chain.node.url);
  for (const currency of ["USDT", "USDC"] as const) {
    const token = contractOf(ethereum, currency);
    await chain.send({ to: token, data: listing(LISTED) });
    await chain.mine();
    expect(await source.freezeState({ owner: LISTED, token }, currency)).toBe("listed");
    expect(await source.freezeState({ owner: OTHER, token }, currency)).toBe("notListed");
  }
});

test("a contract without such a function, or with another result, is never read as clear", async () => {
  const chain = await startTestChain(ethereum);
  stops.push(chain.stop);
  await chain.node.call("anvil_setCode", [REVERTS, "0x60006000fd"]);
  // Returns the word 2.
  await chain.node.call("anvil_setCode", [NOT_A_BOOL, "0x600260005260206000f3"]);
  await chain.mine();
  const source = sourceOf(ethereum, chain.node.url);
  for (const token of [REVERTS, NOT_A_BOOL, OTHER])
    expect(await source.freezeState({ owner: LISTED, token }, "USDT")).toBe("unsupported");
});

test("two endpoints must agree: a silent or a contradicting one leaves the address unchecked", async () => {
  const chain = await startTestChain(ethereum);
  stops.push(chain.stop);
  const token = contractOf(ethereum, "USDT");
  const proxies = await Promise.all([startRpcProxy(chain.node.url), startRpcProxy(chain.node.url)]);
  stops.push(...proxies.map((proxy) => proxy.stop));
  const [first, second] = proxies;
  const read = () => sourceOf(ethereum, ...proxies.map(({ url }) => url)).freezeState({ owner: OTHER, token }, "USDT");
  expect(await read()).toBe("notListed");
  second.fault = async ({ method }, _response, pass) => (method === "eth_call" ? `0x${"1".padStart(64, "0")}` : pass());
  expect(await read()).toBe("unchecked");
  first.fault = second.fault;
  expect(await read()).toBe("listed");
  second.fault = async (_call, response) => {
    response.destroy();
    return undefined as never;
  };
  expect(await read()).toBe("unchecked");
  first.fault = second.fault;
  expect(await read()).toBe("unchecked");
});

test.each(["JSON-RPC", "HTTP"])("on TRON, the contract is called over %s", async (api) => {
  const chain = await startTronChain();
  stops.push(chain.stop);
  const evm = (method: string, params: readonly unknown[] = []) => jsonRpc(chain.node.controlUrl, method, params);
  const [from] = (await evm("eth_accounts")) as string[];
  await evm("eth_sendTransaction", [{ from, to: TRON_USDT, data: listing(LISTED), gas: "0x7a120" }]);
  await chain.mine(2);
  const url = api === "HTTP" ? chain.node.url.replace(/\/jsonrpc$/, "") : chain.node.url;
  const source = sourceOf(getNetwork("tron"), url);
  expect(await source.freezeState({ owner: LISTED, token: TRON_USDT }, "USDT")).toBe("listed");
  expect(await source.freezeState({ owner: OTHER, token: TRON_USDT }, "USDT")).toBe("notListed");
  expect(await source.freezeState({ owner: OTHER, token: OTHER }, "USDT")).toBe("unsupported");
});

test("on Solana, the token account of the owner is frozen, active, or does not exist yet", async () => {
  const chain = await startTestSolana();
  stops.push(chain.stop);
  const [frozen, active, absent] = [1, 2, 3].map(() => Keypair.generate().publicKey) as [
    PublicKey,
    PublicKey,
    PublicKey,
  ];
  const token = contractOf(getNetwork("solana"), "USDT");
  await chain.send([frozen, active].flatMap((to) => minting({ to, currency: "USDT", baseUnits: 5n })));
  await chain.advance();
  await chain.send([freezing(frozen)]);
  await chain.advance(2);
  const source = sourceOf(getNetwork("solana"), chain.node.url);
  const states = [frozen, active, absent].map((owner) =>
    source.freezeState({ owner: owner.toBase58(), token }, "USDT"),
  );
  expect(await Promise.all(states)).toEqual(["listed", "notListed", "notListed"]);
});

/** Returns the instruction TokenInstruction::FreezeAccount (10) for the USDT account of an owner. */
function freezing(owner: PublicKey): TransactionInstruction {
  const key = (pubkey: PublicKey, isSigner: boolean, isWritable: boolean) => ({ pubkey, isSigner, isWritable });
  const mint = new PublicKey(getToken(getNetwork("solana"), "USDT").contract);
  return new TransactionInstruction({
    programId: new PublicKey("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"),
    keys: [key(accountOf(owner, "USDT"), false, true), key(mint, false, false), key(PAYER.publicKey, true, false)],
    data: Buffer.from([10]),
  });
}
