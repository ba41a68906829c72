import * as z from "zod";
import { createSolanaSource } from "@/lib/chains/solana/source";
import { getNetwork } from "@/lib/domain/networks";
import { RpcProblem } from "@/sandbox/nodes/json-rpc-answer";
import { type Age, checkDeclared, newManners, shownVersion } from "@/sandbox/solana/rpc/age";
import type { TransactionVersion } from "@/sandbox/solana/transactions/message";
import {
  openRecordings,
  type RecordedTransfer,
  type Recording,
  testRecording,
} from "@/testing/chains/contract/recorded";
import { HANDLED, type RpcCallSeen, type RpcProxy, startRpcProxy } from "@/testing/chains/evm";

const recordings = openRecordings("solana");
const solana = getNetwork("solana");
const BLOCKS = ["chainstorage_block_new_token_account.json", "chainstorage_block_v2.json"];
const SINGLE = ["txparser_jupiterAggregatorV6_sharedAccountsRoute_1.json", "txparser_transferChecked_0.json"];
/** The slot of the block that contains all recorded transactions. */
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
const mintOf = (currency: string) => solana.tokens.find((token) => token.currency === currency)?.contract ?? "";

/** Starts a node whose chain consists of the recorded transactions, all of `version`. */
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

/** Returns the transfers of a transaction according to its recorded balances. The sender is the owner whose balance decreased the most. */
function arrivalsOf({ signature, rows }: { signature: string; rows: readonly Row[] }): RecordedTransfer[] {
  const payerOf = (currency: string) => {
    const changes = new Map<string, bigint>();
    for (const { owner, token, delta } of rows)
      if (owner !== null && token === currency) changes.set(owner, (changes.get(owner) ?? 0n) + BigInt(delta));
    const [owner, change] = [...changes].reduce((minimum, one) => (one[1] < minimum[1] ? one : minimum), ["", 0n]);
    return change < 0n ? owner : "";
  };
  return rows.flatMap(({ owner, tokenAccount: position, token, delta }) =>
    owner !== null && BigInt(delta) > 0n
      ? [{ txId: signature, position, token: mintOf(token), from: payerOf(token), to: owner, baseUnits: BigInt(delta) }]
      : [],
  );
}

async function open(version: TransactionVersion, age: Partial<Age>): Promise<Recording> {
  const blocks = BLOCKS.flatMap(
    (name) => z.object({ transactions: z.array(Recorded) }).parse(recordings.read(name)).transactions,
  );
  const recorded = [...blocks, ...SINGLE.flatMap((name) => z.array(Recorded).parse(recordings.read(name)))];
  const expected = Object.values(Expected.parse(recordings.read("expected-deltas.json"))).flat();
  const node = await serve(recorded, version, age);
  const source = createSolanaSource(solana, { urls: [node.url], now: () => new Date() });
  return {
    expected: expected.flatMap(arrivalsOf),
    failed: [],
    ways: {
      "each transaction alone": async (owners) => {
        const found = [];
        for (const one of recorded) found.push(...(await source.transfers(signatureOf(one), owners)));
        return found;
      },
      "all of them in one block": async (owners) => (await source.slot(SLOT, owners))?.transfers ?? [],
    },
    receipt: source.receipt,
    stop: () => node.stop(),
  };
}

for (const [version, node, age] of [
  ["legacy", "of today", {}],
  [0, "of today", {}],
  [1, "of today", {}],
  [1, "that refuses versions above 1", { highestVersion: 1 as const }],
] as const) {
  testRecording(`transactions as if of version ${version}, from a node ${node}`, recordings.isThere, () =>
    open(version, age),
  );
}
