import { PublicKey } from "@solana/web3.js";
import { SOLANA_FALSIFICATIONS } from "@/chaos/faults/solana-falsifications";
import type { Random } from "@/chaos/plan/random";
import { associatedAccount } from "@/lib/domain/checkout/solana-payment";
import type { Network } from "@/lib/domain/networks";
import { RpcProblem } from "@/sandbox/nodes/json-rpc-answer";
import {
  asTestChain,
  PAYER_UNITS,
  type ScriptedBlock,
  ScriptedChain,
  type ScriptedTransaction,
} from "@/testing/chains/scripted/scripted-chain";
import { serveScript } from "@/testing/chains/scripted/serve-script";

const LAG = { confirmed: 1, finalized: 12 };
const SKIP_EVERY = 5;
/** A cache of token accounts: deriving an account takes a millisecond, and histories derive thousands. */
const accounts = new Map<string, string>();
function accountOf(owner: string, mint: string): string {
  const key = `${owner} ${mint}`;
  const account = accounts.get(key) ?? associatedAccount(owner, mint);
  accounts.set(key, account);
  return account;
}

const FAILURE = { InstructionError: [0, { Custom: 1 }] };

const keyOf = (tag: number, number: number) =>
  new PublicKey(Uint8Array.from({ length: 32 }, (_, at) => (at < 4 ? (number >>> (8 * at)) & 255 : tag))).toBase58();
const PAYER = keyOf(90, 1);

interface Config {
  commitment?: "confirmed" | "finalized";
  transactionDetails?: "none" | "signatures" | "accounts";
  minContextSlot?: number;
  before?: string;
  limit?: number;
}

/** Starts two scripted nodes of one Solana cluster. */
export async function startScriptedSolana(network: Network) {
  const chain = new ScriptedChain(
    network,
    {
      hashOf: (height, seed) => (height === 0 ? network.chainId : keyOf(17, seed)),
      txIdOf: (number) => `${keyOf(33, number)}${keyOf(34, number)}`,
      newAddress: (random: Random) =>
        new PublicKey(Uint8Array.from({ length: 32 }, () => random.int(0, 255))).toBase58(),
      strangeToken: keyOf(66, 1),
      positionsOf: ({ transfers }) => transfers.map(({ to, token }) => accountOf(to, token)),
      // The lag is counted from the newest slot; nodes show only confirmed slots.
      finalLag: LAG.finalized,
      skipEvery: SKIP_EVERY,
      deepest: LAG.finalized - 1,
      noises: ["fakeToken", "zero", "failed"],
      falsifications: () => SOLANA_FALSIFICATIONS,
    },
    PAYER,
  );
  const node = await serveScript(({ method, params }) => answer(chain, method, params));
  return asTestChain(chain, [node.url, node.url], node.stop);
}

function answer(chain: ScriptedChain, method: string, params: readonly unknown[]): unknown {
  const [first, second] = params;
  const last = params.at(-1);
  const config = (typeof last === "object" && !Array.isArray(last) ? last : {}) as Config;
  const top = topOf(chain, config);
  if ((config.minContextSlot ?? 0) > top) throw new RpcProblem(-32016, "Minimum context slot has not been reached");
  switch (method) {
    case "getGenesisHash":
      return chain.network.chainId;
    case "getSlot":
      return top;
    case "getFirstAvailableBlock":
      return 0;
    case "getBlock":
      return showBlock(chain, Number(first), config, top);
    case "getBlocks":
      return chain.blocks
        .map(({ height }) => height)
        .filter((slot) => slot >= Number(first) && slot <= Math.min(top, Number(second)));
    case "getTransaction":
      return showTransaction(chain, String(first), top);
    case "getSignaturesForAddress":
      return historyOf(chain, String(first), config, top);
    case "getSignatureStatuses":
      return { value: (first as string[]).map((id) => (chain.find(id) ? { confirmationStatus: "confirmed" } : null)) };
    case "getTokenAccountsByOwner":
      return accountsOf(chain, String(first), (second as { mint: string }).mint, top);
    case "getTokenSupply":
      return supplyOf(chain.network, String(first));
    default:
      throw new RpcProblem(-32601, "Method not found");
  }
}

function topOf(chain: ScriptedChain, { commitment = "finalized" }: Config): number {
  return commitment === "finalized" ? chain.minHeight : chain.height - LAG.confirmed;
}

function showBlock(chain: ScriptedChain, slot: number, { transactionDetails }: Config, top: number): unknown {
  if (slot > top) throw new RpcProblem(-32004, `Block not available for slot ${slot}`);
  const block = chain.block(slot);
  if (block === null) throw new RpcProblem(-32007, `Slot ${slot} was skipped, or missing due to ledger jump`);
  const { hash, parentHash, parentHeight, time, transactions } = block;
  const header = {
    blockhash: hash,
    previousBlockhash: parentHash,
    parentSlot: parentHeight,
    blockTime: time.getTime() / 1_000,
  };
  if (transactionDetails === "none") return header;
  if (transactionDetails === "signatures") return { ...header, signatures: transactions.map(({ id }) => id) };
  return { ...header, transactions: transactions.map((one) => asAccounts(one)) };
}

/** Returns a transaction in the format of `transactionDetails: "accounts"`. */
function asAccounts(transaction: ScriptedTransaction) {
  const { meta, keys } = balancesOf(transaction);
  return { meta, transaction: { signatures: [transaction.id], accountKeys: keys.map((pubkey) => ({ pubkey })) } };
}

function showTransaction(chain: ScriptedChain, id: string, top: number): unknown {
  const found = chain.find(id);
  if (!found || found.block.height > top) return null;
  const { meta, keys } = balancesOf(found.transaction);
  return {
    slot: found.block.height,
    meta,
    version: "legacy",
    transaction: { signatures: [id], message: { accountKeys: keys } },
  };
}

/** Returns the balances of every token account before and after; they are the same for a failed transaction. */
function balancesOf({ isSuccess, transfers }: ScriptedTransaction) {
  const gains = new Map<string, { mint: string; owner: string; units: bigint }>();
  const add = (owner: string, mint: string, units: bigint) => {
    const account = accountOf(owner, mint);
    gains.set(account, { mint, owner, units: (gains.get(account)?.units ?? 0n) + units });
  };
  for (const { token, from, to, baseUnits } of transfers) {
    add(from, token, -baseUnits);
    add(to, token, baseUnits);
  }
  const keys = [PAYER, ...gains.keys()];
  const balances = (isAfter: boolean) =>
    [...gains].map(([account, { mint, owner, units }]) => ({
      accountIndex: keys.indexOf(account),
      mint,
      owner,
      uiTokenAmount: { amount: String(PAYER_UNITS + (isAfter && isSuccess ? units : 0n)) },
    }));
  const meta = {
    err: isSuccess ? null : FAILURE,
    preTokenBalances: balances(false),
    postTokenBalances: balances(true),
  };
  return { keys, meta };
}

const touches = ({ transfers }: ScriptedTransaction, account: string) =>
  transfers.some(({ from, to, token }) => [from, to].some((owner) => accountOf(owner, token) === account));

/** Returns the history of an account, newest entries first. */
function historyOf(chain: ScriptedChain, account: string, { before, limit = 1_000 }: Config, top: number) {
  const all = chain.blocks
    .filter(({ height }) => height <= top)
    .flatMap(({ transactions, height }: ScriptedBlock) =>
      transactions
        .filter((one) => touches(one, account))
        .map(({ id, isSuccess }) => ({ signature: id, slot: height, err: isSuccess ? null : FAILURE })),
    )
    .toReversed();
  const start = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
  return all.slice(start, start + limit);
}

function accountsOf(chain: ScriptedChain, owner: string, mint: string, top: number) {
  const account = accountOf(owner, mint);
  const isThere = chain.blocks.some(({ transactions }) => transactions.some((one) => touches(one, account)));
  return { context: { slot: top }, value: isThere ? [{ pubkey: account }] : [] };
}

function supplyOf({ tokens, lookAlikes }: Network, mint: string) {
  const known = [...tokens, ...lookAlikes].find(({ contract }) => contract === mint);
  if (!known) throw new RpcProblem(-32602, "Invalid param: could not find account");
  return { value: { amount: "0", decimals: known.decimals } };
}
