import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import type { AccountSource } from "@/lib/chains/endpoints/source";
import { createSolanaSource } from "@/lib/chains/solana/source";
import { balanceDeltas } from "@/lib/chains/solana/transfers";
import { SolanaTransaction } from "@/lib/chains/solana/wire";
import { getNetwork } from "@/lib/domain/networks";
import { openRecordings } from "@/testing/chains/contract/recorded";
import { HANDLED, type RpcProxy, startRpcProxy } from "@/testing/chains/evm";

const recordings = openRecordings("solana");
const { read } = recordings;

const solana = getNetwork("solana");
const BLOCKS = ["chainstorage_block_new_token_account.json", "chainstorage_block_v2.json"];
const SINGLE = ["txparser_jupiterAggregatorV6_sharedAccountsRoute_1.json", "txparser_transferChecked_0.json"];

const Row = z.object({
  tokenAccount: z.string(),
  owner: z.string().nullable(),
  token: z.string(),
  delta: z.string(),
  opened: z.boolean(),
  closed: z.boolean(),
});
const Expected = z.record(z.string(), z.array(z.object({ signature: z.string(), rows: z.array(Row) })));
const Recorded = z.looseObject({ transaction: z.looseObject({ signatures: z.array(z.string()) }) });
const Transactions = z.array(Recorded);
const RecordedBlock = z.looseObject({ parentSlot: z.number(), transactions: Transactions });

const byAccount = <T extends { tokenAccount: string }>(rows: readonly T[]) =>
  rows.toSorted((left, right) => left.tokenAccount.localeCompare(right.tokenAccount));
const currencyOf = (mint: string) => solana.tokens.find(({ contract }) => contract === mint)?.currency;

function transactionsOf(name: string) {
  return BLOCKS.includes(name) ? RecordedBlock.parse(read(name)).transactions : Transactions.parse(read(name));
}

/** Returns the balance changes of a transaction in accounts of the known tokens, in the form of the expected result. */
function rowsOf(recorded: unknown) {
  const rows = balanceDeltas(SolanaTransaction.parse(recorded)).flatMap(({ mint, delta, ...rest }) => {
    const token = currencyOf(mint);
    return token ? [{ ...rest, token, delta: delta.toString() }] : [];
  });
  return byAccount(rows);
}

describe.skipIf(!recordings.isThere).each([...BLOCKS, ...SINGLE])("recorded on mainnet: %s", (name) => {
  let node: RpcProxy;
  let source: AccountSource;
  let expected: z.infer<typeof Expected>[string];

  beforeAll(async () => {
    expected = Expected.parse(read("expected-deltas.json"))[name] ?? [];
    node = await startRpcProxy("", async ({ method, params }, response) => {
      const recorded = transactionsOf(name).find(({ transaction }) => transaction.signatures[0] === params[0]);
      if (method === "getGenesisHash") return solana.chainId;
      if (method === "getTransaction") return recorded && { slot: 7, ...recorded };
      if (method !== "getBlock") throw new Error(`not recorded: ${method}`);
      if (BLOCKS.includes(name)) return read(name);
      const hash = "E7ksVVZ9kFjjxrKVtuMXXhM4fVczSDiiFtMkcgFh9jcd";
      const header = {
        blockhash: hash,
        previousBlockhash: hash,
        parentSlot: Number(params[0]) - 1,
        blockTime: 1_700_000_000,
      };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: header }));
      return HANDLED;
    });
    source = createSolanaSource(solana, { urls: [node.url], now: () => new Date() });
  });
  afterAll(() => node.stop());

  test("gives exactly the balance changes of known tokens", () => {
    const found = transactionsOf(name).flatMap((recorded) => {
      const rows = rowsOf(recorded);
      return rows.length > 0 ? [{ signature: recorded.transaction.signatures[0] ?? "", rows }] : [];
    });
    expect(found).toEqual(expected.map(({ signature, rows }) => ({ signature, rows: byAccount(rows) })));
  });

  test("returns exactly the gains of every owner", async () => {
    const owners = new Set(expected.flatMap(({ rows }) => rows.map(({ owner }) => owner ?? "")).filter(Boolean));
    for (const recorded of BLOCKS.includes(name) ? [] : transactionsOf(name)) {
      const [signature = ""] = recorded.transaction.signatures;
      const rows = expected.find((one) => one.signature === signature)?.rows ?? [];
      const wanted = rows.filter(({ delta }) => BigInt(delta) > 0n);
      const found = await source.transfers(signature, owners);
      const lines = found.map(({ position, to, currency, baseUnits }) => [position, to, currency, baseUnits].join(" "));
      expect(lines.sort()).toEqual(
        wanted.map(({ tokenAccount, owner, token, delta }) => [tokenAccount, owner, token, delta].join(" ")).sort(),
      );
      const payer = rows.toSorted((left, right) => Number(BigInt(left.delta) - BigInt(right.delta)))[0]?.owner ?? "";
      expect(found.every(({ from }) => from === payer)).toBe(true);
    }
  });

  test.runIf(BLOCKS.includes(name))("is read as a whole block, without payments to watched addresses", async () => {
    const { parentSlot } = RecordedBlock.parse(read(name));
    const rows = expected.flatMap((one) => one.rows);
    const content = await source.slot(parentSlot + 1, new Set(rows.map(({ tokenAccount }) => tokenAccount)));
    expect(content).toMatchObject({ block: { height: parentSlot + 1, parentHeight: parentSlot }, transfers: [] });
  });
});

recordings.testNoneIsLeftOut();
