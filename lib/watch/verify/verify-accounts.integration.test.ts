import { Keypair } from "@solana/web3.js";
import { beforeEach, expect, test } from "vitest";
import { PAYER } from "@/sandbox/solana/accounts/mints";
import { type Fault, HANDLED, type RpcProxy, startRpcProxy } from "@/testing/chains/evm";
import { moving, opening, ownerNamed } from "@/testing/chains/solana";
import { BY_ACCOUNTS, useSolanaChain, useSolanaLedger } from "@/testing/watch/solana-scanner";

const world = useSolanaChain();
const shop = ownerNamed("shop").publicKey;
const { state, now, sourceOf, catchUp, verify, newScanner, ledger, accounts } = useSolanaLedger(world, BY_ACCOUNTS);
const MINUTE = 300;

const hidesHistories: Fault = async ({ method }, _response, pass) =>
  method === "getSignaturesForAddress" ? [] : pass();
const isDown: Fault = async (_call, response) => {
  response.writeHead(502).end();
  return HANDLED;
};

let proxy: RpcProxy;
beforeEach(async () => {
  await catchUp();
  await verify();
  proxy = await startRpcProxy(world.chain.node.url);
  return () => proxy.stop();
});
const pay = (baseUnits: bigint) => world.chain.pay([{ to: shop, currency: "USDC", baseUnits }]);

/** Pays while the only endpoint hides histories, until the payment is final. */
async function payUnseen(): Promise<string> {
  proxy.fault = hidesHistories;
  state.source = sourceOf(proxy.url);
  const txId = await pay(5n);
  await world.chain.advance(2 * MINUTE);
  await catchUp();
  expect(await ledger()).toEqual([]);
  return txId;
}

test("a payment that one endpoint hides permanently is returned by another, which is asked too", async () => {
  const txId = await payUnseen();
  state.source = sourceOf(proxy.url, world.chain.node.url);
  expect(await verify()).toBe(1);
  expect(await ledger()).toMatchObject([{ txId, status: "seen" }]);
});

test("a payment that the only endpoint hides while its slot becomes final is found when it returns it later", async () => {
  const txId = await payUnseen();
  proxy.fault = undefined;
  expect(await verify()).toBe(1);
  expect(await ledger()).toMatchObject([{ txId }]);
});

test("an endpoint that does not respond is asked again later, and does not block the others", async () => {
  const away = await startRpcProxy(world.chain.node.url, isDown);
  const txId = await payUnseen();
  state.source = sourceOf(proxy.url, away.url);
  const start = now();
  const before = state.scanner.memory.verifiedTo;
  expect(await verify(start)).toBe(0);
  expect(state.scanner.memory.verifiedTo).toBe(before);
  away.fault = undefined;
  state.source = sourceOf(proxy.url, away.url);
  proxy.calls.clear();
  expect(await verify(new Date(start.getTime() + 9_000))).toBe(0);
  expect(await verify(new Date(start.getTime() + 10_000))).toBe(1);
  expect(await ledger()).toMatchObject([{ txId }]);
  expect(proxy.calls.get("getSignaturesForAddress")).toBeUndefined();
  await away.stop();
});

test("an endpoint that stays away is waited for a quarter of an hour, however fast slots pass, and no longer", async () => {
  proxy.fault = isDown;
  state.source = sourceOf(world.chain.node.url, proxy.url);
  const { memory } = state.scanner;
  const start = now();
  const before = memory.verifiedTo;
  await world.chain.advance(5 * MINUTE);
  await catchUp();
  await verify(start);
  const atFirst = (await state.source.head()).finalizedHeight;
  await world.chain.advance(20 * MINUTE);
  await catchUp();
  await verify(new Date(start.getTime() + 899_000));
  expect(memory.verifiedTo).toBe(before);
  await verify(new Date(start.getTime() + 910_000));
  expect(memory.verifiedTo).toBe(atFirst);
});

test("a worker that knows nothing reads two hours a second time", async () => {
  const old = await payUnseen();
  const minutes = 100;
  await world.chain.advance(minutes * MINUTE);
  await catchUp();
  proxy.fault = undefined;
  state.scanner = newScanner();
  await world.chain.advance();
  await catchUp();
  expect(await ledger()).toEqual([]);
  expect(await verify()).toBe(1);
  expect(await ledger()).toMatchObject([{ txId: old }]);
});

test("a token account that two endpoints return is watched once, and read back two hours", async () => {
  state.source = sourceOf(world.chain.node.url, proxy.url);
  const account = Keypair.generate();
  const paid = [...opening(account.publicKey, shop, "USDC"), moving(PAYER.publicKey, account.publicKey, "USDC", 42n)];
  const txId = await world.chain.send(paid, { signers: [account] });
  await world.chain.advance(2 * MINUTE);
  await catchUp();
  await verify();
  await world.chain.advance();
  await catchUp();
  expect(await ledger()).toMatchObject([{ txId, position: account.publicKey.toBase58() }]);
  const watched = state.scanner.memory.accounts.get(shop.toBase58());
  expect(watched).toHaveLength(3);
  expect(watched).toContain(account.publicKey.toBase58());
  expect(await accounts()).toHaveLength(3);
});
