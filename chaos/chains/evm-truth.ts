import * as z from "zod";
import type { TrueTransfer } from "@/chaos/chains/chain";
import { quantity } from "@/chaos/faults/evm-falsifications";
import type { LocalChain } from "@/sandbox/nodes/evm-node";
import type { CallAll, RpcCall } from "@/sandbox/nodes/json-rpc";

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const Block = z.object({ timestamp: z.string(), transactions: z.array(z.string()) });
const Receipt = z.object({
  status: z.string(),
  logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })),
});

/**
 * Returns every transfer in a range of heights, from the receipts of all transactions of all blocks, without filters, indexes or
 * shortcuts.
 */
export async function readEvmTransfers(
  callAll: CallAll,
  chain: LocalChain,
  { from, to }: { from: number; to: number },
  addresses: ReadonlySet<string>,
): Promise<TrueTransfer[]> {
  const heights = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  const blocks = await callAll(heights.map((height): RpcCall => ["eth_getBlockByNumber", [quantity(height), false]]));
  const sent = z
    .array(Block)
    .parse(blocks)
    .flatMap(({ timestamp, transactions }) => {
      const blockTime = new Date(Number(timestamp) * 1_000);
      return transactions.map((txId) => ({ txId, blockTime }));
    });
  const receipts = await callAll(sent.map(({ txId }): RpcCall => ["eth_getTransactionReceipt", [txId]]));
  return sent.flatMap((where, index) => {
    const receipt = Receipt.parse(receipts[index]);
    return receipt.status === "0x1" ? read(chain, where, receipt, addresses) : [];
  });
}

function read(
  chain: LocalChain,
  where: { txId: string; blockTime: Date },
  receipt: z.infer<typeof Receipt>,
  addresses: ReadonlySet<string>,
): TrueTransfer[] {
  const written = new Map<string, number>();
  return receipt.logs.flatMap(({ address: spelled, topics, data }) => {
    const address = spelled.toLowerCase();
    const ordinal = written.get(address) ?? 0;
    written.set(address, ordinal + 1);
    const token = chain.tokens.find(({ contract }) => contract.toLowerCase() === address);
    const lookAlike = chain.lookAlikes.find(({ contract }) => contract.toLowerCase() === address);
    const from = `0x${topics[1]?.slice(26)}`;
    const to = `0x${topics[2]?.slice(26)}`;
    const isOurs = topics.length === 3 && topics[0] === TRANSFER && addresses.has(to);
    if (!(token || lookAlike) || !isOurs || BigInt(data) === 0n) return [];
    const identity = { ...where, network: chain.id, position: `${address}:${ordinal}` };
    return [{ ...identity, currency: token?.currency ?? null, from, to, baseUnits: BigInt(data) }];
  });
}
