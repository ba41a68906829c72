import * as z from "zod";
import { RpcProblem } from "@/sandbox/nodes/json-rpc-answer";
import { type EvmChain, type EvmTransaction, toQuantity } from "@/sandbox/tron/evm-chain";
import { toEvmAddress, WEI_PER_SUN } from "@/sandbox/tron/network";
import { execute } from "@/sandbox/tron/send";
import type { TransactionBook } from "@/sandbox/tron/transaction-book";

const Count = z.number().int().min(1).max(10_000);
const Reorg = z.object({ reinclude: z.boolean() }).default({ reinclude: true });
const Lag = z.object({ solid: z.number().int().min(0), receipts: z.number().int().min(0) });
const Balance = z.tuple([z.string(), z.number().int().min(0)]);

/**
 * Runs a control call that only a local chain supports: tron_mine [blocks] · tron_reorg [depth, {reinclude}] · tron_setLag [{solid,
 * receipts}] · tron_setBalance [address, sun]. All other calls are forwarded to the EVM node (anvil_*, eth_*, evm_*).
 */
export function runControl(
  chain: EvmChain,
  book: TransactionBook,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  switch (method) {
    case "tron_mine":
      return chain.node.call("anvil_mine", [toQuantity(Count.parse(params[0] ?? 1))]);
    case "tron_reorg":
      return reorg(chain, book, Count.parse(params[0]), Reorg.parse(params[1]));
    case "tron_setLag":
      chain.lag = Lag.parse(params[0]);
      return Promise.resolve(chain.lag);
    case "tron_setBalance": {
      const [address, sun] = Balance.parse(params);
      return chain.node.call("anvil_setBalance", [toEvmAddress(address), toQuantity(BigInt(sun) * WEI_PER_SUN)]);
    }
    default:
      return chain.node.call(method, params);
  }
}

/**
 * Replaces the last `depth` blocks with different ones. Their transactions are included in the next block if `reinclude` is true.
 * @throws RpcProblem if that would replace a solid block.
 */
async function reorg(chain: EvmChain, book: TransactionBook, depth: number, { reinclude }: { reinclude: boolean }) {
  const head = await chain.head();
  const solid = await chain.solid();
  if (head - depth < solid)
    throw new RpcProblem(-32602, `Block ${head - depth + 1} is solid; at most ${head - solid} blocks can be replaced`);
  const dropped: EvmTransaction[] = [];
  for (let height = head - depth + 1; height <= head; height += 1) {
    dropped.push(...((await chain.block(height))?.transactions ?? []));
  }
  await chain.node.call("anvil_reorg", [depth, []]);
  if (reinclude) for (const transaction of dropped) await sendAgain(chain, book, transaction);
  return chain.head();
}

async function sendAgain(chain: EvmChain, book: TransactionBook, { to, input, hash, ...rest }: EvmTransaction) {
  // If a block was mined after the head was read, the reorg does not reach the oldest dropped block, and its transactions are still on the
  // chain.
  if (!to || (await chain.transaction(hash))) return;
  const again = await execute(chain, { ...rest, to, data: input, gas: BigInt(rest.gas) });
  const signed = book.signed(hash);
  if (signed && again !== hash) book.write(again, signed);
}
