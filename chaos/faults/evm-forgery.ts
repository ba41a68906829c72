import { quantity } from "@/chaos/faults/evm-falsifications";
import { type Exchange, type Fault, passOn } from "@/chaos/faults/fault-proxy";
import type { Random } from "@/chaos/plan/random";

/** A payment that no chain contains, in the formats that nodes use. */
export interface Forgery {
  token: string;
  to: string;
  baseUnits: bigint;
}

/** A real block that is claimed to contain a payment. */
interface Position {
  number: number;
  hash: string;
}

interface Block {
  number: string;
  hash: string;
  transactions?: (string | { hash: string })[];
}

interface Filter {
  blockHash?: string;
  fromBlock?: string;
  toBlock?: string;
  address: string[];
  topics: (string | null | string[])[];
}

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const LOG_INDEX = "0xfff0";

/** Returns 32 new random bytes. */
export function randomHash(random: Random): string {
  return Array.from({ length: 64 }, () => random.int(0, 15).toString(16)).join("");
}

/** Returns the topics and data of a transfer's log. */
export function transferLog({ to, baseUnits }: Forgery, from: string): { topics: string[]; data: string } {
  const word = (text: string) => `0x${text.replace(/^0x/, "").padStart(64, "0")}`;
  return { topics: [TRANSFER, word(from), word(to)], data: word(baseUnits.toString(16)) };
}

/**
 * Returns the fault of an endpoint that reports a forged payment in a real block. The log, the receipt and the block's transaction list
 * are consistent.
 * @param ahead the number of additional confirmations that the endpoint reports, with forged blocks
 */
export function forgeOnEvm(forgery: Forgery, random: Random, ahead: number): Fault {
  const txId = `0x${randomHash(random)}`;
  const from = `0x${randomHash(random).slice(24)}`;
  let position: Position | null = null;

  const logAt = ({ number, hash }: Position) => ({
    address: forgery.token,
    ...transferLog(forgery, from),
    blockNumber: quantity(number),
    blockHash: hash,
    transactionHash: txId,
    transactionIndex: "0xff0",
    logIndex: LOG_INDEX,
    removed: false,
  });
  const receiptAt = (at: Position) => ({
    transactionHash: txId,
    transactionIndex: "0xff0",
    blockHash: at.hash,
    blockNumber: quantity(at.number),
    status: "0x1",
    logs: [logAt(at)],
  });

  async function logs(exchange: Exchange): Promise<void> {
    const passed = await exchange.pass();
    if (!passed) return;
    const filter = exchange.call.params[0] as Filter;
    const found = passed.result as { blockNumber: string }[];
    if (!asksFor(filter, forgery)) return exchange.answer(found);
    position ??= await insertInto(exchange, filter);
    if (!position || !isIn(filter, position)) return exchange.answer(found);
    const number = position.number;
    const before = found.filter((log) => Number(log.blockNumber) <= number);
    exchange.answer([...before, logAt(position), ...found.slice(before.length)]);
  }

  async function block(exchange: Exchange): Promise<void> {
    const passed = await exchange.pass();
    if (!passed) return;
    const found = passed.result as Block | null;
    if (found === null) return exchange.answer(await madeUp(exchange, ahead));
    const isWhole = exchange.call.params[1] === true;
    const transactions = [...(found.transactions ?? []), isWhole ? { hash: txId } : txId];
    exchange.answer(found.hash === position?.hash ? { ...found, transactions } : found);
  }

  return async (exchange) => {
    const { method, params } = exchange.call;
    if (method === "eth_getLogs") return logs(exchange);
    if (method === "eth_getBlockByNumber" && params[0] === "finalized" && ahead > 0) params[0] = "latest";
    else if (method === "eth_getBlockByNumber" && params[0] === "latest" && ahead > 0) {
      const head = (await exchange.pass())?.result as Block | null;
      if (head) params[0] = quantity(Number(head.number) + ahead);
    }
    if (method.startsWith("eth_getBlockBy")) return block(exchange);
    if (method === "eth_getTransactionReceipt" && params[0] === txId && position)
      return exchange.answer(receiptAt(position));
    return passOn(exchange);
  };
}

function asksFor({ address, topics }: Filter, { token, to }: Forgery): boolean {
  const receivers = topics[2];
  const word = `0x${to.slice(2).padStart(64, "0")}`;
  return address.includes(token) && (!Array.isArray(receivers) || receivers.includes(word));
}

async function insertInto(exchange: Exchange, { blockHash, toBlock }: Filter): Promise<Position | null> {
  const call = blockHash
    ? { method: "eth_getBlockByHash", params: [blockHash, false] }
    : { method: "eth_getBlockByNumber", params: [toBlock, false] };
  const found = (await exchange.pass(call))?.result as Block | null;
  return found && { number: Number(found.number), hash: found.hash };
}

function isIn({ blockHash, fromBlock, toBlock }: Filter, { number, hash }: Position): boolean {
  return blockHash ? blockHash === hash : Number(fromBlock) <= number && number <= Number(toBlock);
}

/** Returns a forged block above the real head, or null if the call does not request one of the `ahead` forged blocks. */
async function madeUp({ call, pass }: Exchange, ahead: number): Promise<unknown> {
  const number = Number(call.params[0]);
  const head = (await pass({ method: "eth_getBlockByNumber", params: ["latest", false] }))?.result as Block & {
    timestamp: string;
  };
  const above = number - Number(head.number);
  if (call.method !== "eth_getBlockByNumber" || !(above >= 1 && above <= ahead)) return null;
  const hashOf = (height: number) => `0x${height.toString(16).padStart(64, "e")}`;
  const parentHash = above === 1 ? head.hash : hashOf(number - 1);
  return { number: quantity(number), hash: hashOf(number), parentHash, timestamp: head.timestamp, transactions: [] };
}
