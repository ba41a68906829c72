import { z } from "zod";
import type { EvmBlock, EvmChain, EvmReceipt } from "@/sandbox/tron/evm-chain";
import { outOfEnergy, showTransaction } from "@/sandbox/tron/http-shapes";
import { parentId } from "@/sandbox/tron/json-rpc-dialect";
import { blockId, hexText, SUN_PER_ENERGY, toTronHex } from "@/sandbox/tron/network";
import type { TransactionBook } from "@/sandbox/tron/transaction-book";

/** A call of the HTTP interface: the fields of its body or query, and whether only what is solid counts. */
export type HttpMethod = (fields: Readonly<Record<string, unknown>>, isSolid: boolean) => Promise<unknown>;

const Height = z.coerce.number().int();
const MAX_BLOCKS = 100;
const NO_SIGNATURE = "0".repeat(130);

/** Calls about blocks and what their transactions did. What is not there is `{}` or `[]`, with HTTP status 200. */
export function blockMethods(chain: EvmChain, book: TransactionBook): [string, HttpMethod][] {
  const top = (isSolid: boolean) => (isSolid ? chain.solid() : chain.head());
  const show = async (height: number, isSolid: boolean) => {
    const block = height >= 0 && height <= (await top(isSolid)) ? await chain.block(height) : null;
    return block ? showBlock(chain, book, block) : {};
  };
  const many = async (from: number, to: number, isSolid: boolean) => {
    const last = Math.min(to, (await top(isSolid)) + 1);
    const heights = Array.from({ length: Math.max(0, last - from) }, (_, index) => from + index);
    return { block: await Promise.all(heights.map((height) => show(height, isSolid))) };
  };
  return [
    ["getnowblock", async (_, isSolid) => show(await top(isSolid), isSolid)],
    ["getblockbynum", async ({ num = 0 }, isSolid) => show(Height.parse(num), isSolid)],
    ["getblockbyid", async ({ value }, isSolid) => byId(z.string().parse(value), isSolid)],
    ["getblock", async (fields, isSolid) => headerOrBlock(fields, isSolid)],
    [
      "getblockbylimitnext",
      async ({ startNum = 0, endNum = 0 }, isSolid) => {
        const [from, to] = [Height.parse(startNum), Height.parse(endNum)];
        return to <= from || to - from > MAX_BLOCKS ? {} : many(from, to, isSolid);
      },
    ],
    [
      "getblockbylatestnum",
      async ({ num = 0 }, isSolid) => {
        const count = Height.parse(num);
        const head = await top(isSolid);
        return count <= 0 || count >= MAX_BLOCKS ? {} : many(Math.max(0, head - count + 1), head + 1, isSolid);
      },
    ],
    ["gettransactioninfobyblocknum", async ({ num = 0 }, isSolid) => infos(chain, book, Height.parse(num), isSolid)],
    [
      "gettransactioninfobyid",
      async ({ value }, isSolid) => {
        const receipt = await chain.receipt(book.evmHash(z.string().parse(value)));
        if (!receipt || receipt.blockNumber > (await top(isSolid))) return {};
        const all = await infos(chain, book, receipt.blockNumber, isSolid);
        return all.find((info) => info.id === book.txId(receipt.transactionHash)) ?? {};
      },
    ],
    ["gettransactioncountbyblocknum", async ({ num = 0 }) => ({ count: await countOf(chain, Height.parse(num)) })],
  ];

  async function byId(id: string, isSolid: boolean) {
    const block = await chain.blockById(id);
    return block ? show(block.number, isSolid) : {};
  }

  async function headerOrBlock(fields: Readonly<Record<string, unknown>>, isSolid: boolean) {
    const wanted = fields["id_or_num"] === undefined ? String(await top(isSolid)) : String(fields["id_or_num"]);
    const block: { transactions?: unknown } = await (/^\d{1,15}$/.test(wanted)
      ? show(Number(wanted), isSolid)
      : byId(wanted, isSolid));
    if (String(fields["detail"]) === "true") return block;
    const { transactions, ...header } = block;
    return header;
  }
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

async function infos(chain: EvmChain, book: TransactionBook, height: number, isSolid: boolean) {
  const last = Math.min(await chain.receiptHead(), isSolid ? await chain.solid() : Number.POSITIVE_INFINITY);
  const block = height >= 0 && height <= last ? await chain.block(height) : null;
  if (!block || block.transactions.length === 0) return [];
  const receipts = await chain.receipts(height);
  return receipts.map((receipt, index) => {
    const limit = block.transactions[index]?.gas ?? 0;
    const isCall = (block.transactions[index]?.input ?? "0x") !== "0x";
    return showInfo(book, receipt, { time: block.timestamp * 1_000, limit, isCall });
  });
}

function showInfo(
  book: TransactionBook,
  receipt: EvmReceipt,
  { time, limit, isCall }: { time: number; limit: number; isCall: boolean },
) {
  const common = {
    id: book.txId(receipt.transactionHash),
    blockNumber: receipt.blockNumber,
    blockTimeStamp: time,
    contractResult: [""],
  };
  if (!isCall) return { ...common, receipt: { net_usage: 268 } };
  const fee = Number(BigInt(receipt.gasUsed) * SUN_PER_ENERGY);
  const isOut = outOfEnergy(receipt, limit);
  const result = receipt.status ? "SUCCESS" : isOut ? "OUT_OF_ENERGY" : "REVERT";
  const words = isOut
    ? `Not enough energy for 'SSTORE' operation executing: energyLimit[${limit}]`
    : "REVERT opcode executed";
  const log = receipt.logs.map(({ address, topics, data }) => ({
    address: address.slice(2),
    topics: topics.map((topic) => topic.slice(2)),
    data: data.slice(2),
  }));
  return {
    ...common,
    fee,
    contractResult: [receipt.status ? "1".padStart(64, "0") : ""],
    ...(receipt.to ? { contract_address: toTronHex(receipt.to) } : {}),
    receipt: { energy_fee: fee, energy_usage_total: receipt.gasUsed, net_usage: 345, result },
    ...(log.length > 0 ? { log } : {}),
    ...(receipt.status ? {} : { result: "FAILED", resMessage: hexText(words) }),
  };
}

async function countOf(chain: EvmChain, height: number): Promise<number> {
  return (await chain.block(height))?.transactions.length ?? -1;
}
