import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from "@solana/web3.js";
import pino from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openDb } from "@/db/client";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { type ComparedQuote, compareTransaction, type LookupAnswer } from "@/lib/domain/transfers/lookup";
import { createNetworkReader, type NetworkReader } from "@/lib/watch/network-reader";
import { jsonRpc } from "@/sandbox/nodes/json-rpc";
import { PAYER } from "@/sandbox/solana/accounts/mints";
import { associatedTokenAccount, createTokenAccount, mintTo } from "@/sandbox/solana/transactions/instructions";
import { HANDLED, type RpcProxy, startRpcProxy, startTestChain } from "@/testing/chains/evm";
import { accountOf, moving, ownerNamed, startTestSolana } from "@/testing/chains/solana";
import { ANSWERED, startTronChain, startTronProxy, TRON_USDT, type TronProxy } from "@/testing/chains/tron";

// A lookup reads nothing from the database and writes nothing to it.
const noDb = openDb("postgres://unknown@127.0.0.1:1/none", { work: "worker", max: 1, applicationName: "test" });
afterAll(() => noDb.close());

const UNITS = 10_000_100n;
const TIMEOUT_MS = 400;

/**
 * The behavior of a proxy in front of a node. `away`: it returns an error page; `ignorant`: it has no transaction; `lying`: it returns a
 * different one.
 */
type Mood = "well" | "away" | "hanging" | "ignorant" | "lying" | "limited";
interface EntryPoint {
  url: string;
  mood: Mood;
  calls: Map<string, number>;
  stop(): Promise<void>;
}

interface Chain {
  /** The canonical addresses of the chain. */
  shop: string;
  other: string;
  usdt: string;
  unknown: string;
  pay(moves: readonly (readonly [to: string, units: bigint])[]): Promise<string>;
  /**
   * Pays in a counterfeit token.
   * @returns the transaction id and the token's contract
   */
  payFake(to: string, units: bigint): Promise<{ txId: string; token: string }>;
  fail(): Promise<string>;
  mine(): Promise<unknown>;
  open(mood: Mood): Promise<EntryPoint>;
  stop(): Promise<void>;
}

const hex = (digits: string) => `0x${digits.repeat(20)}`;
const UNKNOWN_HEX = `0x${"0f".repeat(32)}`;
const WORD = 64;

async function evm(): Promise<Chain> {
  const network = getNetwork("ethereum");
  const chain = await startTestChain(network);
  const usdt = getToken(network, "USDT").contract.toLowerCase();
  const fake = hex("fa");
  const code = await chain.node.call("eth_getCode", [usdt, "latest"]);
  await chain.node.call("anvil_setCode", [fake, code]);
  return {
    shop: hex("ab"),
    other: hex("cd"),
    usdt,
    unknown: UNKNOWN_HEX,
    stop: chain.stop,
    mine: () => chain.mine(),
    pay: (moves) => chain.payAll(usdt, moves),
    payFake: async (to, units) => ({ txId: await chain.pay(fake, to, units), token: fake }),
    fail: async () => {
      const data = `0xa9059cbb${hex("ab").slice(2).padStart(WORD, "0")}${"f".repeat(WORD)}`;
      return chain.send({ to: usdt, data });
    },
    open: (mood) => openRpc(chain.node.url, "eth_getTransactionReceipt", mood),
  };
}

async function tron(kind: "json-rpc" | "http"): Promise<Chain> {
  const chain = await startTronChain();
  const fake = hex("fa");
  const code = await jsonRpc(chain.node.controlUrl, "eth_getCode", [TRON_USDT, "latest"]);
  await jsonRpc(chain.node.controlUrl, "anvil_setCode", [fake, code]);
  return {
    shop: hex("ab"),
    other: hex("cd"),
    usdt: TRON_USDT,
    unknown: UNKNOWN_HEX,
    stop: chain.stop,
    pay: (moves) => chain.payAll(moves),
    payFake: async (to, units) => ({ txId: await chain.pay(to, units, fake), token: fake }),
    fail: () => chain.fail(hex("ab")),
    mine: () => chain.mine(3),
    open: (mood) => openTron(chain.node.url, kind, mood),
  };
}

async function solana(): Promise<Chain> {
  const chain = await startTestSolana();
  await chain.advance(40);
  const owners = new Map(["shop", "other"].map((name) => [ownerNamed(name).publicKey.toBase58(), ownerNamed(name)]));
  const [shop = "", other = ""] = owners.keys();
  const keyOf = (owner: string) => new PublicKey(owner);
  return {
    shop,
    other,
    unknown: "1".repeat(WORD) + "5".repeat(23),
    stop: chain.stop,
    mine: () => chain.advance(2),
    usdt: canonicalAddress("solana", getToken(getNetwork("solana"), "USDT").contract),
    pay: (moves) =>
      chain.pay(moves.map(([to, baseUnits]) => ({ to: keyOf(to), currency: "USDT" as const, baseUnits }))),
    async payFake(to, baseUnits) {
      const mint = Keypair.generate();
      const held = { mint: mint.publicKey, owner: keyOf(to) };
      const make = [...makingMint(mint.publicKey), createTokenAccount({ ...held, payer: PAYER.publicKey })];
      const move = { mint: mint.publicKey, to: associatedTokenAccount(held), baseUnits, authority: PAYER.publicKey };
      const txId = await chain.send([...make, mintTo(move)], { signers: [mint] });
      return { txId, token: mint.publicKey.toBase58() };
    },
    fail: () => chain.send([moving(PAYER.publicKey, accountOf(keyOf(shop), "USDT"), "USDT", 2n ** 63n)]),
    open: (mood) => openRpc(chain.node.url, "getTransaction", mood),
  };
}

const TOKEN_PROGRAM = new PublicKey("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");

/** Returns the instructions that create a counterfeit token of six decimals; its keypair must sign. */
function makingMint(mint: PublicKey): TransactionInstruction[] {
  const payer = PAYER.publicKey;
  const create = { fromPubkey: payer, newAccountPubkey: mint, lamports: 10_000_000, space: 82 };
  const data = Buffer.concat([Buffer.from([20, 6]), payer.toBuffer(), Buffer.from([0])]);
  const keys = [{ pubkey: mint, isSigner: false, isWritable: true }];
  return [
    SystemProgram.createAccount({ ...create, programId: TOKEN_PROGRAM }),
    new TransactionInstruction({ programId: TOKEN_PROGRAM, keys, data }),
  ];
}

async function openRpc(target: string, method: string, mood: Mood): Promise<EntryPoint> {
  const proxy: RpcProxy = await startRpcProxy(target);
  const entry = { url: proxy.url, mood, calls: proxy.calls, stop: proxy.stop };
  proxy.fault = async (call, response, pass) => {
    if (isRefused(entry.mood, response)) return HANDLED;
    if (entry.mood === "hanging") return new Promise(() => {});
    if (call.method !== method || entry.mood === "well") return pass();
    return entry.mood === "ignorant" ? null : other(await pass());
  };
  return entry;
}

async function openTron(target: string, kind: "json-rpc" | "http", mood: Mood): Promise<EntryPoint> {
  const proxy: TronProxy = await startTronProxy(target);
  const url = kind === "http" ? proxy.url : proxy.jsonRpcUrl;
  const entry = { url, mood, calls: proxy.calls, stop: proxy.stop };
  proxy.fault = async ({ name }, pass, response) => {
    if (isRefused(entry.mood, response)) return ANSWERED;
    if (entry.mood === "hanging") return new Promise(() => {});
    if (!["eth_getTransactionReceipt", "gettransactioninfobyid"].includes(name) || entry.mood === "well") return pass();
    if (entry.mood === "ignorant") return kind === "http" ? {} : null;
    return other(await pass());
  };
  return entry;
}

function isRefused(mood: Mood, response: ServerResponse): boolean {
  if (mood === "away") response.writeHead(502).end("<html>");
  if (mood === "limited") response.writeHead(429).end();
  return mood === "away" || mood === "limited";
}

/**
 * Changes a response so that it belongs to a different request: replaces the transaction ids and, because some ids are searched for in a
 * block, the block numbers.
 */
function other(answer: unknown): unknown {
  const id = randomBytes(32).toString("hex");
  const text = JSON.stringify(answer)
    .replace(/"transactionHash":"0x[0-9a-f]{64}"/g, `"transactionHash":"0x${id}"`)
    .replace(/"blockNumber":\d+/g, '"blockNumber":1')
    .replace(/"signatures":\["[^"]+"/g, `"signatures":["${"5".repeat(87)}"`);
  return JSON.parse(text);
}

describe.each([
  { name: "EVM", id: "ethereum", start: evm },
  { name: "TRON via JSON-RPC", id: "tron", start: () => tron("json-rpc") },
  { name: "TRON via HTTP", id: "tron", start: () => tron("http") },
  { name: "Solana", id: "solana", start: solana },
])("a lookup of a transaction on $name", ({ id, start }) => {
  const network = getNetwork(id);
  let chain: Chain;
  let quote: ComparedQuote;
  let paid: string;
  let entries: EntryPoint[] = [];
  let clock = Date.now();

  beforeAll(async () => {
    chain = await start();
    const held = { createdAt: new Date(0), reservedUntil: new Date(2 ** 42) };
    const asked = { network: id, currency: "USDT", token: chain.usdt, address: chain.shop, kind: "shared" } as const;
    quote = { ...asked, baseUnits: UNITS, ...held };
    paid = await chain.pay([[chain.shop, UNITS]]);
    await chain.mine();
  });
  afterAll(() => chain?.stop());
  afterEach(async () => {
    await Promise.all(entries.splice(0).map((entry) => entry.stop()));
  });

  async function reader(moods: readonly Mood[], quorum = 1): Promise<NetworkReader> {
    entries = await Promise.all(moods.map((mood) => chain.open(mood)));
    const options = { urls: entries.map(({ url }) => url), now: () => new Date(clock), timeoutMs: TIMEOUT_MS, quorum };
    const log = pino({ level: "silent" });
    return createNetworkReader(noDb.db, network, options, { owner: "one", log, publicUrl: "" });
  }

  /** Returns the answer for the payer; an error counts as "silent", as in the worker. */
  async function lookUpThrough(txId: string, through: NetworkReader): Promise<LookupAnswer> {
    const seen = await through.lookUp(txId, new Set([chain.shop])).catch((error: Error) => {
      expect(error.name).toBe("ChainError");
      return error;
    });
    if (seen instanceof Error) return { kind: "silent" };
    return seen ? compareTransaction([quote], seen) : { kind: "absent" };
  }

  test("is found and read: right, short, to another address, in another token, or failed", async () => {
    const through = await reader(["well"]);
    const sent = {
      short: await chain.pay([[chain.shop, UNITS - 1n]]),
      elsewhere: await chain.pay([[chain.other, UNITS]]),
      failed: await chain.fail(),
    };
    const fake = await chain.payFake(chain.shop, UNITS);
    await chain.mine();
    expect(await lookUpThrough(paid, through)).toEqual({ kind: "found" });
    expect(await lookUpThrough(sent.short, through)).toMatchObject({
      kind: "amount",
      isShort: true,
      arrived: "10.000099",
    });
    expect(await lookUpThrough(sent.elsewhere, through)).toEqual({ kind: "nothing" });
    expect(await lookUpThrough(sent.failed, through)).toEqual({ kind: "failed" });
    expect(await lookUpThrough(fake.txId, through)).toEqual({ kind: "wrongToken", name: null });
    const seen = await through.lookUp(fake.txId, new Set([chain.shop]));
    expect(seen?.transfers).toContainEqual(expect.objectContaining({ token: fake.token, to: chain.shop }));
  });

  test("pays among others in one transaction", async () => {
    const txId = await chain.pay([
      [chain.other, 1n],
      [chain.shop, UNITS],
      [chain.other, UNITS],
    ]);
    await chain.mine();
    expect(await lookUpThrough(txId, await reader(["well"]))).toEqual({ kind: "found" });
  });

  test("is not visible before it is in a block, nor where there is none of that id; then it is", async () => {
    const through = await reader(["well", "well"]);
    const txId = await chain.pay([[chain.shop, UNITS]]);
    expect(await lookUpThrough(txId, through)).toEqual({ kind: "absent" });
    expect(await lookUpThrough(chain.unknown, through)).toEqual({ kind: "absent" });
    await chain.mine();
    expect(await lookUpThrough(txId, through)).toEqual({ kind: "found" });
  });

  test.each<Mood>(["away", "limited", "hanging"])(
    "is never reported absent by an endpoint that is %s",
    async (mood) => {
      expect(await lookUpThrough(paid, await reader([mood]))).toEqual({ kind: "silent" });
      expect(await lookUpThrough(chain.unknown, await reader([mood]))).toEqual({ kind: "silent" });
      expect(await lookUpThrough(paid, await reader([mood, "well"]))).toEqual({ kind: "found" });
      const through = await reader([mood]);
      expect(await lookUpThrough(paid, through)).toEqual({ kind: "silent" });
      for (const entry of entries) entry.mood = "well";
      clock += 600_000;
      expect(await lookUpThrough(paid, through)).toEqual({ kind: "found" });
    },
  );

  test("is found if one of two endpoints has it, and one that returns another transaction is rejected", async () => {
    expect(await lookUpThrough(paid, await reader(["ignorant", "well"]))).toEqual({ kind: "found" });
    expect(await lookUpThrough(paid, await reader(["lying", "well"]))).toEqual({ kind: "found" });
    expect(await lookUpThrough(paid, await reader(["lying"]))).toEqual({ kind: "silent" });
    expect(await lookUpThrough(paid, await reader(["ignorant", "ignorant"]))).toEqual({ kind: "absent" });
  });
});
