import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Keypair } from "@solana/web3.js";
import { expect, test, vi } from "vitest";
import { associatedTokenAccount, memo } from "@/sandbox/solana/transactions/instructions";
import { openSolanaWallet } from "@/sandbox/wallets/solana-wallet";
import {
  answerTo,
  find,
  landed,
  MINT,
  NOT_READ,
  pay,
  send,
  slotsOf,
  start,
  USDC,
  version,
} from "@/testing/chains/solana-node";

test("a version 1 transaction pays, and has its version and limits for clients that read version 1", async () => {
  const world = await start();
  const owner = Keypair.generate().publicKey;
  const paid = await pay(world, owner, 9n, 1);
  expect(paid.isSuccess).toBe(true);
  const account = associatedTokenAccount({ mint: MINT, owner });
  expect((await world.connection.getTokenAccountBalance(account)).value.amount).toBe("9");
  const seen = await world.connection.getTransaction(paid.signature, { ...version, maxSupportedTransactionVersion: 1 });
  expect(seen).toMatchObject({ version: 1, slot: paid.blockHeight, meta: { err: null, fee: 5_000 } });
  expect(seen?.meta?.postTokenBalances?.find((one) => one.owner === owner.toBase58())?.uiTokenAmount.amount).toBe("9");
  expect(seen?.meta?.loadedAddresses).toEqual({ writable: [], readonly: [] });
  const config = { encoding: "json", maxSupportedTransactionVersion: 1 };
  expect(await answerTo(world.node, "getTransaction", paid.signature, config)).toMatchObject({
    transaction: {
      message: {
        transactionConfig: { computeUnitLimit: 600_000, priorityFee: null, heapSize: null },
        header: { numRequiredSignatures: 1 },
      },
    },
  });
});

test("a version 1 transaction may be of up to 4,096 bytes", async () => {
  const world = await start();
  const long = [memo("x".repeat(300)), ...Array.from({ length: 10 }, (_, at) => memo(`${at}`.repeat(300)))];
  const signature = await send(world, long, { version: 1 });
  expect(await find(world.connection, signature)).toMatchObject({ version: 1 });
  await expect(send(world, [...long, ...long], { version: 1 })).rejects.toThrow(/too large/);
});

test("a caller gets a transaction of a version that it declares, and a block only with all of its transactions", async () => {
  const world = await start();
  const owner = Keypair.generate().publicKey;
  const wallet = (version: "legacy" | 0 | 1) => openSolanaWallet(world.node.url, () => version);
  const sent = new Map<"legacy" | 0 | 1, string>();
  for (const version of ["legacy", 0, 1] as const)
    sent.set(version, await wallet(version).transfer({ contract: USDC.contract, to: owner.toBase58(), baseUnits: 1n }));
  await world.advance();
  const { blockHeight } = await landed(wallet(1), sent.get(1) ?? "");
  for (const [version, signature] of sent) {
    const single = (config: object) => answerTo(world.node, "getTransaction", signature, config);
    const min = version === "legacy" ? null : version;
    expect(await single({ maxSupportedTransactionVersion: 127 })).toMatchObject({ version });
    if (min === null) expect(await single({})).not.toHaveProperty("version");
    else expect(await single({})).toMatchObject({ code: -32015, message: expect.stringContaining(`(${version})`) });
    if (min === 1) expect(await single({ maxSupportedTransactionVersion: 0 })).toEqual(NOT_READ);
    else expect(await single({ maxSupportedTransactionVersion: 0 })).toMatchObject({ version });
  }
  const block = (transactionDetails: string, maxSupportedTransactionVersion?: number) =>
    answerTo(world.node, "getBlock", blockHeight, { transactionDetails, maxSupportedTransactionVersion });
  for (const details of ["full", "accounts"]) {
    expect(await block(details, 0)).toEqual(NOT_READ);
    expect(await block(details)).toMatchObject({ code: -32015 });
    const { transactions } = (await block(details, 1)) as { transactions: { version: unknown }[] };
    expect(transactions.map((one) => one.version)).toEqual(["legacy", 0, 1, "legacy"]);
  }
  expect(await block("signatures")).toMatchObject({
    signatures: [...sent.values(), expect.any(String)],
  });
  expect(await block("none")).toMatchObject({ blockhash: expect.any(String) });
  expect(await block("none", 256)).toMatchObject({ code: -32602 });
});

test("a node of an older age refuses a higher version than it knows, and overlooks an unknown end of a history", async () => {
  const world = await start();
  const owner = Keypair.generate().publicKey;
  const { signature, blockHeight } = await pay(world, owner, 9n);
  const history = (config: object) =>
    answerTo(world.node, "getSignaturesForAddress", associatedTokenAccount({ mint: MINT, owner }).toBase58(), config);
  const unknown = "5".repeat(88);
  for (const end of ["before", "until"]) {
    expect(await history({ [end]: unknown })).toEqual({ code: -32020, message: `Transaction ${unknown} not found` });
  }
  await world.node.call("solana_setAge", [{ highestVersion: 1, unknownFilter: "ignored", isBefore43: true }]);
  expect(await history({ before: unknown })).toEqual([]);
  expect(await history({ until: unknown })).toMatchObject([{ signature }]);
  for (const [method, what] of [
    ["getTransaction", signature],
    ["getBlock", blockHeight],
  ] as const) {
    expect(await answerTo(world.node, method, what, { maxSupportedTransactionVersion: 127 })).toMatchObject({
      code: -32602,
    });
    expect(await answerTo(world.node, method, what, { maxSupportedTransactionVersion: 1 })).toHaveProperty("blockTime");
  }
  await world.node.call("solana_setAge");
  expect(await history({ before: unknown })).toMatchObject({ code: -32020 });
});

test("a transaction of a version to come is refused whatever the caller reads, and its block with it", async () => {
  const world = await start();
  const owner = Keypair.generate().publicKey;
  const { signature, blockHeight } = await pay(world, owner, 9n);
  await world.node.call("solana_setUnreadable", [signature, 3]);
  const max = { maxSupportedTransactionVersion: 127 };
  const refusal = { code: -32015, message: expect.stringContaining("version (3)") };
  expect(await answerTo(world.node, "getTransaction", signature, max)).toMatchObject(refusal);
  expect(await answerTo(world.node, "getBlock", blockHeight, max)).toMatchObject(refusal);
  const signatures = { ...max, transactionDetails: "signatures" };
  expect(await answerTo(world.node, "getBlock", blockHeight, signatures)).toMatchObject({
    signatures: [signature, expect.any(String)],
  });
});

test("the control stops finality or confirmation, and resumes it", async () => {
  const world = await start();
  const { node, connection, advance } = world;
  await advance(20);
  await node.call("solana_hold", ["finalized"]);
  const owner = Keypair.generate().publicKey;
  await advance(160);
  expect(await slotsOf(world)).toEqual([180, 180, 12]);
  const paid = await pay(world, owner, 5n);
  expect(await find(connection, paid.signature, "finalized")).toBeNull();
  await node.call("solana_hold", ["confirmed"]);
  await advance(9);
  expect(await slotsOf(world)).toEqual([190, 181, 12]);
  await node.call("solana_hold", [null]);
  expect(await slotsOf(world)).toEqual([190, 190, 182]);
  expect(await find(connection, paid.signature, "finalized")).not.toBeNull();
});

test("the control halts the head while time passes, and resumes with the next slot", async () => {
  const world = await start({ slotMs: 20 });
  const { node, connection } = world;
  await vi.waitUntil(async () => (await connection.getSlot("processed")) > 3, { timeout: 20_000 });
  const head = await node.call("solana_hold", ["head"]);
  await expect(node.call("solana_advance", [1])).rejects.toThrow(/is held/);
  const before = Date.now();
  await vi.waitUntil(() => Date.now() > before + 1_100, { timeout: 10_000 });
  expect(await connection.getSlot("processed")).toBe(head);
  await node.call("solana_hold", [null]);
  const next = Number(head) + 1;
  await vi.waitUntil(async () => (await connection.getSlot("confirmed")) > next, { timeout: 20_000 });
  expect(await connection.getBlockTime(next)).toBeGreaterThanOrEqual(Math.floor(before / 1_000) + 1);
});

test("every block contains a vote until the switch to Alpenglow; then none does, and confirmed blocks are final", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate solana "));
  const world = await start({ folder, lag: { confirmed: 1, finalized: 8 } });
  const { node, connection, advance } = world;
  await advance(20);
  const shown = async (slot: number) => (await connection.getBlock(slot, version))?.transactions ?? [];
  const votes = await Promise.all([5, 6].map(shown));
  expect(votes.map((found) => found.length)).toEqual([1, 1]);
  const [vote, other] = votes.map((found) => found[0]?.transaction.signatures[0] ?? "");
  expect(vote).not.toBe(other);
  expect(await find(connection, vote ?? "")).toMatchObject({ slot: 5, meta: { err: null, postTokenBalances: [] } });
  const certificate = () => node.call("getAgGenesisCert");
  expect(await certificate()).toBeNull();

  await node.call("solana_switchToAlpenglow");
  await advance(2);
  expect(await slotsOf(world)).toEqual([22, 21, 21]);
  expect(await certificate()).toMatchObject({ block: { slot: 19 }, signature: { bitmap: [1] } });
  expect((await Promise.all([19, 20, 21].map(shown))).map((found) => found.length)).toEqual([1, 0, 0]);
  const signature = await send(world, [memo("after the switch")]);
  await advance();
  expect(await find(connection, signature, "finalized")).toMatchObject({ slot: 23 });
  await node.call("solana_setAge", [{ isBefore43: true }]);
  await expect(certificate()).rejects.toThrow(/Method not found/);
  await node.stop();

  const next = await start({ folder, lag: { confirmed: 1, finalized: 8 } });
  expect(await next.node.call("getAgGenesisCert")).toMatchObject({ block: { slot: 19 } });
  await next.advance(3);
  expect(await slotsOf(next)).toEqual([27, 26, 26]);
  await next.node.stop();
  await rm(folder, { recursive: true });
});
