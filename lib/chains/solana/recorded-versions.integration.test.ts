import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createSolanaSource } from "@/lib/chains/solana/source";
import { getNetwork } from "@/lib/domain/networks";
import { RpcProblem } from "@/sandbox/nodes/json-rpc-answer";
import { type Age, checkDeclared, newManners, shownVersion } from "@/sandbox/solana/rpc/age";
import type { TransactionVersion } from "@/sandbox/solana/transactions/message";
import { HANDLED, type RpcCallSeen, type RpcProxy, startRpcProxy } from "@/testing/chains/evm";

const folder = path.resolve(process.env["FIXTURES_DIR"] ?? "../shared/fixtures", "solana");
const hasFixtures = existsSync(folder);
if (!hasFixtures) console.warn(`Skipped: no recorded mainnet data in ${folder}; set FIXTURES_DIR to where it is.`);
const read = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), "utf8"));

const solana = getNetwork("solana");
const BLOCKS = ["chainstorage_block_new_token_account.json", "chainstorage_block_v2.json"];
const SINGLE = ["txparser_jupiterAggregatorV6_sharedAccountsRoute_1.json", "txparser_transferChecked_0.json"];
/** Where all recorded transactions stand together in one block. */
const SLOT = 500;
const HASH = "E7ksVVZ9kFjjxrKVtuMXXhM4fVczSDiiFtMkcgFh9jcd";
const HEADER = { blockhash: HASH, previousBlockhash: HASH, parentSlot: SLOT - 1, blockTime: 1_700_000_000 };

const Recorded = z.looseObject({ transaction: z.looseObject({ signatures: z.array(z.string()).min(1) }) });
type Recorded = z.infer<typeof Recorded>;
const Row = z.object({ tokenAccount: z.string(), owner: z.string().nullable(), token: z.string(), delta: z.string() });
type Row = z.infer<typeof Row>;
const Expected = z.record(z.string(), z.array(z.object({ signature: z.string(), rows: z.array(Row) })));
const Config = z.object({
  maxSupportedTransactionVersion: z.number().optional(),
  transactionDetails: z.enum(["full", "accounts", "signatures", "none"]).default("full"),
});

const signatureOf = ({ transaction }: Recorded) => transaction.signatures[0] ?? "";
const lineOf = (row: { position: string; to: string; currency: string | null; baseUnits: bigint | string }) =>
  [row.position, row.to, row.currency, row.baseUnits].join(" ");

/** A node whose whole chain is the recorded transactions, every one of them of `version`. */
async function serve(recorded: readonly Recorded[], version: TransactionVersion, age: Partial<Age>): Promise<RpcProxy> {
  const manners = { ...newManners(), age: { ...newManners().age, ...age } };
  const answer = ({ method, params }: RpcCallSeen): unknown => {
    if (method === "getGenesisHash") return solana.chainId;
    const config = Config.parse(params[1]);
    checkDeclared(manners, config);
    const show = (one: Recorded) => ({ ...one, ...shownVersion(version, config) });
    if (method === "getTransaction") {
      const found = recorded.find((one) => signatureOf(one) === params[0]);
      return found ? { ...show(found), slot: SLOT } : null;
    }
    if (method !== "getBlock") throw new RpcProblem(-32601, `Method not found: ${method}`);
    if (config.transactionDetails === "none") return HEADER;
    if (config.transactionDetails === "signatures") return { ...HEADER, signatures: recorded.map(signatureOf) };
    return { ...HEADER, transactions: recorded.map(show) };
  };
  return startRpcProxy("", async (call, response) => {
    try {
      return answer(call);
    } catch (error) {
      if (!(error instanceof RpcProblem)) throw error;
      const { code, message } = error;
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } }));
      return HANDLED;
    }
  });
}

describe.skipIf(!hasFixtures).each([
  ["legacy", "of today", {}],
  [0, "of today", {}],
  [1, "of today", {}],
  [1, "that refuses to hear of versions above 1", { highestVersion: 1 as const }],
] as const)("recorded on mainnet, as if of version %s, from a node %s", (version, _node, age) => {
  let recorded: Recorded[];
  let expected: { signature: string; rows: Row[] }[];
  let node: RpcProxy | undefined;

  beforeAll(() => {
    const blocks = BLOCKS.flatMap(
      (name) => z.object({ transactions: z.array(Recorded) }).parse(read(name)).transactions,
    );
    recorded = [...blocks, ...SINGLE.flatMap((name) => z.array(Recorded).parse(read(name)))];
    expected = Object.values(Expected.parse(read("expected-deltas.json"))).flat();
  });
  afterEach(() => node?.stop());

  /** What arrived, as the recordings have it, and who received it. */
  function arrivals(of: (signature: string) => boolean) {
    const rows = expected.filter(({ signature }) => of(signature)).flatMap((one) => one.rows);
    const gained = rows.flatMap(({ owner, tokenAccount: position, token: currency, delta: baseUnits }) =>
      owner !== null && BigInt(baseUnits) > 0n ? [{ to: owner, position, currency, baseUnits }] : [],
    );
    return { lines: gained.map(lineOf).sort(), owners: new Set(rows.flatMap(({ owner }) => owner ?? [])) };
  }

  async function open() {
    node = await serve(recorded, version, age);
    return createSolanaSource(solana, { urls: [node.url], now: () => new Date() });
  }

  test("every transaction, asked for alone, gives exactly what arrived", async () => {
    const source = await open();
    expect(arrivals(() => true).lines.length).toBeGreaterThan(1);
    for (const signature of recorded.map(signatureOf)) {
      const { lines, owners } = arrivals((other) => other === signature);
      const found = await source.transfers(signature, owners.size > 0 ? owners : new Set([HASH]));
      expect(found.map(lineOf).sort()).toEqual(lines);
    }
  });

  test("all of them in one block give exactly what arrived", async () => {
    const source = await open();
    const { lines, owners } = arrivals(() => true);
    const content = await source.slot(SLOT, owners);
    expect(content?.transfers.map(lineOf).sort()).toEqual(lines);
  });
});
