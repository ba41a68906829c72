import * as z from "zod";
import type { EvmBlock, EvmChain } from "@/sandbox/tron/evm-chain";
import { showTransaction } from "@/sandbox/tron/http-shapes";
import { parentId } from "@/sandbox/tron/json-rpc-shapes";
import { blockId, toTronHex } from "@/sandbox/tron/network";
import type { TransactionBook } from "@/sandbox/tron/transaction-book";

/** A method of the HTTP API. Its parameters are the fields of the body or query, and a flag that restricts it to solid blocks. */
export type HttpMethod = (fields: Readonly<Record<string, unknown>>, isSolid: boolean) => Promise<unknown>;

/** A block as shown in responses; a block without transactions has no `transactions` field. */
interface Shown {
  transactions?: unknown;
}

type ShowAt = (height: number, isSolid: boolean) => Promise<Shown>;

export const Height = z.coerce.number().int();
const MAX_BLOCKS = 100;
const NO_SIGNATURE = "0".repeat(130);

/** Returns the newest height: the solid block's if `isSolid`, otherwise the head's. */
export function topOf(chain: EvmChain, isSolid: boolean): Promise<number> {
  return isSolid ? chain.solid() : chain.head();
}

/** Returns the methods for blocks. A missing block is returned as `{}` with HTTP status 200. */
export function blockMethods(chain: EvmChain, book: TransactionBook): [string, HttpMethod][] {
  const show: ShowAt = async (height, isSolid) => {
    const block = height >= 0 && height <= (await topOf(chain, isSolid)) ? await chain.block(height) : null;
    return block ? showBlock(chain, book, block) : {};
  };
  const byId = async (id: string, isSolid: boolean): Promise<Shown> => {
    const block = await chain.blockById(id);
    return block ? show(block.number, isSolid) : {};
  };
  const byEither = async (idOrNumber: string, isSolid: boolean) =>
    /^\d{1,15}$/.test(idOrNumber) ? show(Number(idOrNumber), isSolid) : byId(idOrNumber, isSolid);
  return [
    ["getnowblock", async (_, isSolid) => show(await topOf(chain, isSolid), isSolid)],
    ["getblockbynum", async ({ num = 0 }, isSolid) => show(Height.parse(num), isSolid)],
    ["getblockbyid", async ({ value }, isSolid) => byId(z.string().parse(value), isSolid)],
    [
      "getblock",
      async ({ id_or_num, detail }, isSolid) => {
        const block = await byEither(String(id_or_num ?? (await topOf(chain, isSolid))), isSolid);
        const { transactions, ...header } = block;
        return String(detail) === "true" ? block : header;
      },
    ],
    ...rangeMethods(chain, show),
  ];
}

function rangeMethods(chain: EvmChain, show: ShowAt): [string, HttpMethod][] {
  const many = async (from: number, to: number, isSolid: boolean) => {
    const last = Math.min(to, (await topOf(chain, isSolid)) + 1);
    const heights = Array.from({ length: Math.max(0, last - from) }, (_, index) => from + index);
    return { block: await Promise.all(heights.map((height) => show(height, isSolid))) };
  };
  return [
    [
      "getblockbylimitnext",
      async ({ startNum = 0, endNum = 0 }, isSolid) => {
        const from = Height.parse(startNum);
        const to = Height.parse(endNum);
        return to <= from || to - from > MAX_BLOCKS ? {} : many(from, to, isSolid);
      },
    ],
    [
      "getblockbylatestnum",
      async ({ num = 0 }, isSolid) => {
        const count = Height.parse(num);
        const head = await topOf(chain, isSolid);
        return count <= 0 || count >= MAX_BLOCKS ? {} : many(Math.max(0, head - count + 1), head + 1, isSolid);
      },
    ],
  ];
}

async function showBlock(chain: EvmChain, book: TransactionBook, block: EvmBlock) {
  const receipts = block.transactions.length > 0 ? await chain.receipts(block.number) : [];
  const transactions = block.transactions.map((transaction, index) =>
    showTransaction(book, transaction, { block, receipt: receipts[index] ?? null }),
  );
  return {
    blockID: blockId(block.number, block.hash),
    block_header: {
      raw_data: {
        ...(block.number > 0 ? { number: block.number } : {}),
        txTrieRoot: block.transactionsRoot.slice(2),
        witness_address: toTronHex(block.miner),
        parentHash: parentId(block),
        version: 31,
        timestamp: block.timestamp * 1_000,
      },
      witness_signature: NO_SIGNATURE,
    },
    ...(transactions.length > 0 ? { transactions } : {}),
  };
}
