import { z } from "zod";
import type { TrueTransfer } from "@/chaos/chain";
import type { Network } from "@/lib/domain/networks";
import type { SolanaNode } from "@/sandbox/solana-node";

const Slots = z.array(z.number());
const Balance = z.object({
  accountIndex: z.number(),
  mint: z.string(),
  owner: z.string(),
  uiTokenAmount: z.object({ amount: z.string() }),
});
const Keys = z.array(z.string());
const Transaction = z.object({
  transaction: z.object({ signatures: z.tuple([z.string()], z.string()), message: z.object({ accountKeys: Keys }) }),
  meta: z.object({
    err: z.unknown(),
    preTokenBalances: z.array(Balance),
    postTokenBalances: z.array(Balance),
    loadedAddresses: z.object({ writable: Keys, readonly: Keys }).optional(),
  }),
});
const Block = z.object({ blockTime: z.number(), transactions: z.array(Transaction) });

/** Every transfer in a finalized block, from the balances of all transactions of all blocks. */
export async function readSolanaTruth(
  call: SolanaNode["call"],
  network: Network,
  addresses: ReadonlySet<string>,
  from: number,
): Promise<TrueTransfer[]> {
  const commitment = "finalized";
  const last = z.number().parse(await call("getSlot", [{ commitment }]));
  const slots = Slots.parse(await call("getBlocks", [from, last, { commitment }]));
  const found: TrueTransfer[] = [];
  for (const slot of slots) {
    const options = { commitment, transactionDetails: "full", maxSupportedTransactionVersion: 0, rewards: false };
    const block = Block.parse(await call("getBlock", [slot, { ...options, encoding: "json" }]));
    const blockTime = new Date(block.blockTime * 1_000);
    found.push(...block.transactions.flatMap((one) => read(network, one, blockTime, addresses)));
  }
  return found;
}

function read(
  network: Network,
  { transaction, meta }: z.infer<typeof Transaction>,
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
    return [{ ...identity, currency: token.currency, to: owner, baseUnits, blockTime }];
  });
}
