import * as z from "zod";
import type { EvmChain, EvmReceipt } from "@/sandbox/tron/evm-chain";
import { Height, type HttpMethod, topOf } from "@/sandbox/tron/http-blocks";
import { outOfEnergy } from "@/sandbox/tron/http-shapes";
import { hexText, SUN_PER_ENERGY, toTronHex } from "@/sandbox/tron/network";
import type { TransactionBook } from "@/sandbox/tron/transaction-book";

/** Returns the methods for the results of transactions. A missing result is returned as `{}` or `[]`, exactly like an empty block. */
export function infoMethods(chain: EvmChain, book: TransactionBook): [string, HttpMethod][] {
  return [
    ["gettransactioninfobyblocknum", async ({ num = 0 }, isSolid) => infos(chain, book, Height.parse(num), isSolid)],
    [
      "gettransactioninfobyid",
      async ({ value }, isSolid) => {
        const receipt = await chain.receipt(book.evmHash(z.string().parse(value)));
        if (!receipt || receipt.blockNumber > (await topOf(chain, isSolid))) return {};
        const all = await infos(chain, book, receipt.blockNumber, isSolid);
        return all.find((info) => info.id === book.txId(receipt.transactionHash)) ?? {};
      },
    ],
    ["gettransactioncountbyblocknum", async ({ num = 0 }) => ({ count: await countOf(chain, Height.parse(num)) })],
  ];
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
  const text = isOut
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
    ...(receipt.status ? {} : { result: "FAILED", resMessage: hexText(text) }),
  };
}

async function countOf(chain: EvmChain, height: number): Promise<number> {
  return (await chain.block(height))?.transactions.length ?? -1;
}
