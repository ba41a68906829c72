import * as z from "zod";
import type { TrueTransfer } from "@/chaos/chains/chain";
import type { Network } from "@/lib/domain/networks";
import type { RpcCall } from "@/sandbox/nodes/json-rpc";
import type { SolanaNode } from "@/sandbox/nodes/solana-node";

const Slots = z.array(z.number());
const Balance = z.object({
  accountIndex: z.number(),
  mint: z.string(),
  owner: z.string(),
  uiTokenAmount: z.object({ amount: z.string() }),
});
const Keys = z.array(z.string());
const Transaction = z.object({
  version: z.union([z.literal("legacy"), z.number()]),
  transaction: z.object({ signatures: z.tuple([z.string()], z.string()), message: z.object({ accountKeys: Keys }) }),
  meta: z.object({
    err: z.unknown(),
    preTokenBalances: z.array(Balance),
    postTokenBalances: z.array(Balance),
    loadedAddresses: z.object({ writable: Keys, readonly: Keys }).optional(),
  }),
});
const Block = z.object({ transactions: z.array(Transaction) });
/** A whole block, or one transaction. */
const Shown = z.union([Block.transform(({ transactions }) => transactions), Transaction.transform((one) => [one])]);
const Signatures = z.object({ blockTime: z.number(), signatures: z.array(z.string()) });
const Statuses = z.object({ value: z.array(z.object({ confirmationStatus: z.string() }).nullable()) });

const commitment = "finalized";
const SHOWN = { commitment, encoding: "json", maxSupportedTransactionVersion: 127, rewards: false } as const;
const STATUS_BATCH = 256;

interface Span {
  /** First slot. */
  from: number;
  /** The transactions that no node returns. Any other unreadable transaction is an error. */
  except: readonly string[];
}

/**
 * Returns every transfer in a finalized block, from the balances of all transactions of all blocks. Nodes reject a block with an
 * unreadable transaction as a whole, so its other transactions are read one by one.
 */
export async function readSolanaTransfers(
  { call, callAll }: Pick<SolanaNode, "call" | "callAll">,
  network: Network,
  addresses: ReadonlySet<string>,
  { from, except }: Span,
): Promise<TrueTransfer[]> {
  const last = z.number().parse(await call("getSlot", [{ commitment }]));
  const slots = Slots.parse(await call("getBlocks", [from, last, { commitment }]));
  const listed = z.array(Signatures).parse(await callAll(slots.map((slot) => showing(slot, "signatures"))));
  const hidden = new Set(except);
  const parts = listed.flatMap(({ blockTime, signatures }, index) => {
    const readable = signatures.filter((one) => !hidden.has(one));
    const calls =
      readable.length === signatures.length
        ? [showing(slots[index] ?? 0, "full")]
        : readable.map((one): RpcCall => ["getTransaction", [one, SHOWN]]);
    return calls.map((each) => ({ call: each, blockTime: new Date(blockTime * 1_000) }));
  });
  const shown = z.array(Shown).parse(await callAll(parts.map((part) => part.call)));
  return parts.flatMap(({ blockTime }, index) =>
    (shown[index] ?? []).flatMap((one) => read(network, one, blockTime, addresses)),
  );
}

function showing(slot: number, transactionDetails: "signatures" | "full"): RpcCall {
  return ["getBlock", [slot, { ...SHOWN, transactionDetails }]];
}

/** Returns the ids of the given transactions that are final. */
export async function listFinal(call: SolanaNode["call"], txIds: readonly string[]): Promise<string[]> {
  const final: string[] = [];
  for (let at = 0; at < txIds.length; at += STATUS_BATCH) {
    const some = txIds.slice(at, at + STATUS_BATCH);
    const { value } = Statuses.parse(await call("getSignatureStatuses", [some]));
    final.push(...some.filter((_, index) => value[index]?.confirmationStatus === commitment));
  }
  return final;
}

function read(
  network: Network,
  { transaction, meta, version }: z.infer<typeof Transaction>,
  blockTime: Date,
  addresses: ReadonlySet<string>,
): TrueTransfer[] {
  if (meta.err !== null && meta.err !== undefined) return [];
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {};
  const keys = [...transaction.message.accountKeys, ...writable, ...readonly];
  return meta.postTokenBalances.flatMap(({ accountIndex, mint, owner, uiTokenAmount }) => {
    const before = meta.preTokenBalances.find((balance) => balance.accountIndex === accountIndex);
    const baseUnits = BigInt(uiTokenAmount.amount) - BigInt(before?.uiTokenAmount.amount ?? 0);
    const token = network.tokens.find(({ contract }) => contract === mint);
    if (!token || !addresses.has(owner) || baseUnits <= 0n) return [];
    const identity = { network: network.id, txId: transaction.signatures[0], position: keys[accountIndex] ?? "" };
    return [{ ...identity, currency: token.currency, to: owner, baseUnits, blockTime, version: String(version) }];
  });
}
