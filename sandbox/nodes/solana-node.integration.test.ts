import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js";
import { expect, test, vi } from "vitest";
import { PAYER, PLENTY } from "@/sandbox/solana/accounts/mints";
import {
  associatedTokenAccount,
  closeTokenAccount,
  createTokenAccount,
  memo,
  mintTo,
  transferChecked,
} from "@/sandbox/solana/transactions/instructions";
import { openSolanaWallet } from "@/sandbox/wallets/solana-wallet";
import { find, LAG, landed, MINT, pay, send, start, USDC, USDT, version } from "@/testing/chains/solana-node";

test("a transfer is seen by signature, in its block and by its token account; confirmed first, then finalized", async () => {
  const world = await start();
  const { connection, advance } = world;
  const owner = Keypair.generate().publicKey;
  const account = associatedTokenAccount({ mint: MINT, owner });
  const paid = await pay(world, owner, 12_500_000n);
  expect(paid.isSuccess).toBe(true);

  const seen = await find(connection, paid.signature);
  expect(seen).toMatchObject({ slot: paid.blockHeight, meta: { err: null } });
  const after = seen?.meta?.postTokenBalances?.find((balance) => balance.owner === owner.toBase58());
  expect(after).toMatchObject({
    mint: USDC.contract,
    uiTokenAmount: { amount: "12500000", decimals: 6, uiAmount: 12.5 },
  });
  expect(seen?.meta?.preTokenBalances?.some((balance) => balance.owner === owner.toBase58())).toBe(false);
  expect(seen?.meta?.innerInstructions?.length).toBeGreaterThan(0);
  const [known] = await connection.getSignaturesForAddress(account, {}, "confirmed");
  expect(known).toMatchObject({ signature: paid.signature, slot: paid.blockHeight, confirmationStatus: "confirmed" });
  const block = await connection.getBlock(paid.blockHeight, { ...version, transactionDetails: "accounts" });
  expect(block?.transactions[0]?.meta?.postTokenBalances).toEqual(seen?.meta?.postTokenBalances);
  expect((await connection.getTokenAccountBalance(account)).value.amount).toBe("12500000");

  expect(await find(connection, paid.signature, "finalized")).toBeNull();
  expect(await connection.getAccountInfo(account, "finalized")).toBeNull();
  await advance(LAG.finalized);
  expect(await find(connection, paid.signature, "finalized")).not.toBeNull();
  expect((await connection.getAccountInfo(account, "finalized"))?.data.length).toBe(165);
  const owned = await connection.getParsedTokenAccountsByOwner(owner, { mint: MINT });
  expect(owned.value[0]?.account.data.parsed.info.tokenAmount.uiAmountString).toBe("12.5");
});

test("the chain calls itself mainnet and has both tokens at their real mints", async () => {
  const { connection } = await start();
  expect(await connection.getGenesisHash()).toBe("5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d");
  for (const token of [USDC, USDT]) {
    const { value } = await connection.getTokenSupply(new PublicKey(token.contract));
    expect(value).toMatchObject({ decimals: 6, amount: String(PLENTY) });
  }
});

test("a version 0 transaction shows its loaded addresses, and only to requests for version 0", async () => {
  const world = await start();
  const { connection, advance } = world;
  const owner = Keypair.generate().publicKey;
  await pay(world, owner, 1n);
  const slot = await connection.getSlot("confirmed");
  const authority = PAYER.publicKey;
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority,
    payer: authority,
    recentSlot: slot,
  });
  const account = associatedTokenAccount({ mint: MINT, owner });
  const from = associatedTokenAccount({ mint: MINT, owner: authority });
  const addresses = [account, from, MINT];
  const extend = AddressLookupTableProgram.extendLookupTable({
    payer: authority,
    authority,
    lookupTable: table,
    addresses,
  });
  await send(world, [create, extend]);
  await advance();
  const { value } = await connection.getAddressLookupTable(table);
  if (!value) throw new Error("no lookup table");
  const { blockhash } = await connection.getLatestBlockhash();
  const instructions = [
    transferChecked({ mint: MINT, from, to: account, owner: authority, baseUnits: 7n, decimals: 6 }),
  ];
  const message = new TransactionMessage({ payerKey: authority, recentBlockhash: blockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToV0Message([value]));
  transaction.sign([PAYER]);
  const signature = await connection.sendTransaction(transaction);
  await advance();

  const seen = await find(connection, signature);
  expect(seen?.version).toBe(0);
  expect(seen?.meta?.loadedAddresses?.writable.map(String).toSorted()).toEqual([account, from].map(String).toSorted());
  expect(seen?.meta?.loadedAddresses?.readonly.map(String)).toEqual([USDC.contract]);
  const index = seen?.transaction.message.getAccountKeys({
    accountKeysFromLookups: seen.meta?.loadedAddresses ?? null,
  });
  const changed = seen?.meta?.postTokenBalances?.find((one) => index?.get(one.accountIndex)?.equals(account));
  expect(changed?.uiTokenAmount.amount).toBe("8");
  expect((await connection.getSignaturesForAddress(account, {}, "confirmed")).map((one) => one.signature)[0]).toBe(
    signature,
  );
  const refusal = { code: -32015 };
  await expect(connection.getTransaction(signature, { commitment: "confirmed" })).rejects.toMatchObject(refusal);
  await expect(connection.getBlock(seen?.slot ?? 0, { commitment: "confirmed" })).rejects.toMatchObject(refusal);
});

test("a token account that is emptied and closed is listed before the transaction and not after it", async () => {
  const world = await start();
  const owner = PAYER.publicKey;
  const mint = new PublicKey(USDT.contract);
  const account = associatedTokenAccount({ mint, owner });
  const person = Keypair.generate().publicKey;
  const theirs = associatedTokenAccount({ mint, owner: person });
  const all = transferChecked({ mint, from: account, to: theirs, owner, baseUnits: PLENTY, decimals: 6 });
  const steps = [createTokenAccount({ mint, owner: person, payer: owner }), all, closeTokenAccount({ account, owner })];
  const seen = await find(world.connection, await send(world, steps));
  const owners = (balances: readonly { owner?: string }[] | null | undefined) => balances?.map((one) => one.owner);
  expect(owners(seen?.meta?.preTokenBalances)).toEqual([owner.toBase58()]);
  expect(owners(seen?.meta?.postTokenBalances)).toEqual([person.toBase58()]);
  expect(await world.connection.getAccountInfo(account)).toBeNull();
});

test("a failed transaction is refused beforehand; sent anyway it is in a block with its error, its fee and no transfer", async () => {
  const world = await start();
  const owner = Keypair.generate().publicKey;
  await pay(world, owner, 5n);
  const from = associatedTokenAccount({ mint: MINT, owner: PAYER.publicKey });
  const to = associatedTokenAccount({ mint: MINT, owner });
  const tooMuch = transferChecked({
    mint: MINT,
    from,
    to,
    owner: PAYER.publicKey,
    baseUnits: 2n * PLENTY,
    decimals: 6,
  });
  await expect(send(world, [tooMuch])).rejects.toThrow(/custom program error: 0x1/);
  const signature = await send(world, [memo("anyway"), tooMuch], { skipPreflight: true });
  const seen = await find(world.connection, signature);
  expect(seen?.meta).toMatchObject({ err: { InstructionError: [1, { Custom: 1 }] }, fee: 5_000 });
  expect(seen?.meta?.postTokenBalances).toEqual(seen?.meta?.preTokenBalances);
  const [known] = await world.connection.getSignaturesForAddress(to, {}, "confirmed");
  expect(known).toMatchObject({ signature, err: { InstructionError: [1, { Custom: 1 }] } });
});

test("a transaction with a foreign signature is refused; sent anyway it is in no block, and the chain continues", async () => {
  const { connection, advance } = await start();
  const { blockhash } = await connection.getLatestBlockhash();
  const message = new TransactionMessage({
    payerKey: PAYER.publicKey,
    recentBlockhash: blockhash,
    instructions: [memo("x")],
  });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  await expect(connection.sendRawTransaction(transaction.serialize())).rejects.toThrow(/signature verification/);
  transaction.addSignature(PAYER.publicKey, new Uint8Array(64).fill(7));
  await expect(connection.sendTransaction(transaction)).rejects.toThrow(/signature verification/);
  const signature = await connection.sendTransaction(transaction, { skipPreflight: true });
  await advance();
  expect(await find(connection, signature)).toBeNull();
  expect(await connection.getSlot("confirmed")).toBe(1);
  await expect(connection.sendRawTransaction(Buffer.from("nonsense"))).rejects.toThrow(/failed to deserialize/);
});

test("a skipped slot has no block, a future one is not there yet, and the chain continues over both", async () => {
  const { node, connection, advance } = await start();
  await advance(3);
  await node.call("solana_skip", [2]);
  await advance(4);
  await expect(connection.getBlock(4, version)).rejects.toMatchObject({ code: -32007 });
  await expect(connection.getBlock(99, version)).rejects.toMatchObject({ code: -32004 });
  const third = await connection.getBlock(3, version);
  const sixth = await connection.getBlock(6, version);
  expect(sixth).toMatchObject({ parentSlot: 3, previousBlockhash: third?.blockhash });
  expect(await connection.getBlocks(2, 7, "confirmed")).toEqual([2, 3, 6, 7]);
  expect(await connection.getBlockHeight("confirmed")).toBe(5);
  await advance(20);
  await expect(connection.getBlock(4, version)).rejects.toMatchObject({ code: -32009 });
});

test("a fork takes confirmed transactions away; they come back in a later slot, or never; finalized ones stay", async () => {
  const world = await start();
  const { node, connection, advance } = world;
  const owner = Keypair.generate().publicKey;
  const account = associatedTokenAccount({ mint: MINT, owner });
  const first = await pay(world, owner, 1_000n);
  await advance(LAG.finalized);
  const second = await pay(world, owner, 20n);
  const before = await connection.getBlock(second.blockHeight, version);
  await advance();

  await node.call("solana_fork", [2]);
  expect(await find(connection, second.signature)).toBeNull();
  expect((await connection.getTokenAccountBalance(account)).value.amount).toBe("1000");
  expect((await connection.getBlock(second.blockHeight, version))?.blockhash).not.toBe(before?.blockhash);
  await advance();
  const again = await find(connection, second.signature);
  expect(again?.slot).toBeGreaterThan(second.blockHeight);
  expect((await connection.getTokenAccountBalance(account)).value.amount).toBe("1020");

  await node.call("solana_fork", [1, { reinclude: false, skip: true }]);
  await advance();
  expect(await find(connection, second.signature)).toBeNull();
  await expect(connection.getBlock(again?.slot ?? 0, version)).rejects.toMatchObject({ code: -32007 });
  const known = await connection.getSignaturesForAddress(account, {}, "confirmed");
  expect(known.map((one) => one.signature)).toEqual([first.signature]);
  await expect(node.call("solana_fork", [LAG.finalized + 2])).rejects.toThrow(/final/);
});

test("after a restart slots continue, and old transactions, balances and hashes still exist", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate solana "));
  const world = await start({ folder });
  const owner = Keypair.generate().publicKey;
  const old = await pay(world, owner, 3n);
  await world.advance(20);
  const recent = await pay(world, owner, 4n);
  const block = await world.connection.getBlock(recent.blockHeight, version);
  await world.node.stop();

  const next = await start({ folder });
  expect(await next.connection.getSlot("confirmed")).toBe(recent.blockHeight);
  expect(await next.connection.getBlock(recent.blockHeight, version)).toEqual(block);
  const account = associatedTokenAccount({ mint: MINT, owner });
  const known = await next.connection.getSignaturesForAddress(account, {}, "confirmed");
  expect(known.map((one) => one.signature)).toEqual([recent.signature, old.signature]);
  await next.node.call("solana_fork", [1, { reinclude: false }]);
  expect((await next.connection.getTokenAccountBalance(account)).value.amount).toBe("3");
  await pay(next, owner, 5n);
  expect((await next.connection.getTokenAccountBalance(account)).value.amount).toBe("8");
  await next.node.stop();
  await rm(folder, { recursive: true });
});

test("a node whose guardian is killed ends; it loses no block, and its slots never go back", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate solana "));
  const world = await start({ folder, slotMs: 20 });
  const owner = Keypair.generate().publicKey;
  const wallet = openSolanaWallet(world.node.url);
  const paid = await landed(
    wallet,
    await wallet.transfer({ contract: USDC.contract, to: owner.toBase58(), baseUnits: 9n }),
  );
  const slot = await world.connection.getSlot("processed");
  process.kill(world.node.pid, "SIGKILL");
  await world.node.ended;
  const answers = () =>
    fetch(world.node.url).then(
      () => true,
      () => false,
    );
  await vi.waitUntil(async () => !(await answers()), { timeout: 20_000 });

  const next = await start({ folder, slotMs: 20 });
  expect(await next.connection.getSlot("processed")).toBeGreaterThan(slot);
  expect((await find(next.connection, paid.txId))?.slot).toBe(paid.blockHeight);
  await next.node.stop();
  await rm(folder, { recursive: true });
});

test("slots pass by themselves, and signatures are listed newest first between before and until", async () => {
  const world = await start({ slotMs: 20 });
  const owner = Keypair.generate().publicKey;
  const account = associatedTokenAccount({ mint: MINT, owner });
  const wallet = openSolanaWallet(world.node.url);
  const sent: string[] = [];
  for (const baseUnits of [1n, 2n, 3n, 4n]) {
    sent.unshift(await wallet.transfer({ contract: USDC.contract, to: owner.toBase58(), baseUnits }));
    await wallet.mined(sent[0] ?? "");
  }
  const list = async (options: object) =>
    (await world.connection.getSignaturesForAddress(account, options, "confirmed")).map((one) => one.signature);
  expect(await list({})).toEqual(sent);
  expect(await list({ limit: 2 })).toEqual(sent.slice(0, 2));
  expect(await list({ before: sent[0], until: sent[3] })).toEqual(sent.slice(1, 3));
  const last = sent[0] ?? "";
  await vi.waitUntil(async () => (await find(world.connection, last, "finalized")) !== null, {
    timeout: 20_000,
  });
});

test("sendAndConfirmTransaction of @solana/web3.js resolves when the transaction is confirmed", async () => {
  const { connection } = await start({ slotMs: 50 });
  const to = Keypair.generate().publicKey;
  const transfer = SystemProgram.transfer({ fromPubkey: PAYER.publicKey, toPubkey: to, lamports: 1_000_000 });
  await sendAndConfirmTransaction(connection, new Transaction().add(transfer), [PAYER]);
  expect(await connection.getBalance(to)).toBe(1_000_000);
});

test("a node with set failures fails that many times", async () => {
  const { node, connection } = await start();
  await node.call("solana_failNext", [{ count: 1, code: -32014, message: "not yet", method: "getSlot" }]);
  await expect(connection.getSlot()).rejects.toMatchObject({ message: expect.stringContaining("not yet") });
  expect(await connection.getSlot()).toBe(0);
});

test("an airdrop arrives, and anyone can open a token account and be minted to", async () => {
  const world = await start();
  const person = Keypair.generate().publicKey;
  await world.connection.requestAirdrop(person, 2_000_000_000);
  await world.advance();
  expect(await world.connection.getBalance(person)).toBe(2_000_000_000);
  const owned = { mint: new PublicKey(USDT.contract), owner: person };
  const to = associatedTokenAccount(owned);
  const authority = PAYER.publicKey;
  await send(world, [
    createTokenAccount({ ...owned, payer: authority }),
    mintTo({ mint: owned.mint, to, baseUnits: 6n, authority }),
  ]);
  expect((await world.connection.getTokenAccountBalance(to)).value.amount).toBe("6");
  expect((await world.connection.getTokenSupply(owned.mint)).value.amount).toBe(String(PLENTY + 6n));
});
