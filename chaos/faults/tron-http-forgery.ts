import { type Forgery, randomHash, transferLog } from "@/chaos/faults/evm-forgery";
import { type Exchange, type Fault, passOn } from "@/chaos/faults/fault-proxy";
import type { Random } from "@/chaos/plan/random";

const BLOCK = "/wallet/getblockbynum";
const RECEIPTS = "/wallet/gettransactioninfobyblocknum";
const RECEIPT = "/wallet/gettransactioninfobyid";
const SOLID = "/walletsolidity/getblock";
const HEADER = "/wallet/getblock";

interface Block {
  block_header?: { raw_data: { number?: number } };
  transactions?: unknown[];
}

/**
 * Returns the fault of a TRON node whose HTTP API reports a forged payment in a real block. With `isEarly`, it reports the newest block as
 * solid.
 */
export function inventOnTronHttp(forgery: Forgery, random: Random, isEarly: boolean): Fault {
  const id = randomHash(random);
  const { topics, data } = transferLog(forgery, `0x${randomHash(random).slice(24)}`);
  let position: number | null = null;

  const info = (blockNumber: number) => ({
    id,
    blockNumber,
    fee: 0,
    receipt: { result: "SUCCESS" },
    log: [{ address: forgery.token.slice(2), topics: topics.map((topic) => topic.slice(2)), data: data.slice(2) }],
  });

  async function created(exchange: Exchange, add: (result: unknown, height: number) => unknown): Promise<void> {
    const passed = await exchange.pass();
    if (!passed) return;
    const height = Number((exchange.call.params[0] as { num: number }).num);
    if (exchange.call.method === BLOCK && isBlock(passed.result)) position ??= height;
    exchange.answer(height === position ? add(passed.result, height) : passed.result);
  }

  return async (exchange) => {
    const { method, params } = exchange.call;
    if (method === BLOCK)
      return created(exchange, (found) => {
        const { transactions = [], ...rest } = found as Block;
        return { ...rest, transactions: [...transactions, { txID: id }] };
      });
    if (method === RECEIPTS) return created(exchange, (found, height) => [...(found as unknown[]), info(height)]);
    if (method === RECEIPT && (params[0] as { value: string }).value === id && position !== null)
      return exchange.answer(info(position));
    if (method !== SOLID || !isEarly) return passOn(exchange);
    const passed = await exchange.pass({ method: HEADER, params: [{}] });
    if (passed) exchange.answer(passed.result);
  };
}

function isBlock(result: unknown): boolean {
  return (result as Block).block_header !== undefined;
}
