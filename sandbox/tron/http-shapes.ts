import type { EvmBlock, EvmReceipt, EvmTransaction } from "@/sandbox/tron/evm-chain";
import { toTronHex, WEI_PER_SUN } from "@/sandbox/tron/network";
import type { TransactionBook } from "@/sandbox/tron/transaction-book";

interface InBlock {
  block: EvmBlock;
  receipt: EvmReceipt | null;
}

/** Returns true if the transaction failed and used all the energy it was allowed to. */
export function outOfEnergy(receipt: EvmReceipt, limit: number): boolean {
  return !receipt.status && receipt.gasUsed >= limit;
}

/** Returns a transaction in the format of blocks and gettransactionbyid. */
export function showTransaction(book: TransactionBook, transaction: EvmTransaction, where: InBlock) {
  const contractRet = contractResult(transaction, where.receipt);
  const signed = book.signed(transaction.hash);
  if (signed) return { ret: [{ contractRet }], ...signed };
  return { ret: [{ contractRet }], ...unsigned(book.txId(transaction.hash), transaction, where.block) };
}

function contractResult({ gas }: EvmTransaction, receipt: EvmReceipt | null): string {
  if (!receipt || receipt.status) return "SUCCESS";
  return outOfEnergy(receipt, gas) ? "OUT_OF_ENERGY" : "REVERT";
}

/** Returns a transaction that was not sent through TRON's API. */
function unsigned(txID: string, transaction: EvmTransaction, block: EvmBlock) {
  const owner_address = toTronHex(transaction.from);
  const to = transaction.to ? toTronHex(transaction.to) : "";
  const isCall = transaction.input !== "0x";
  const type = isCall ? "TriggerSmartContract" : "TransferContract";
  const value = isCall
    ? { owner_address, contract_address: to, data: transaction.input.slice(2) }
    : { owner_address, to_address: to, amount: Number(transaction.value / WEI_PER_SUN) };
  const time = block.timestamp * 1_000;
  return {
    signature: ["0".repeat(130)],
    txID,
    raw_data: {
      contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
      ref_block_bytes: "0000",
      ref_block_hash: "0".repeat(16),
      expiration: time + 60_000,
      timestamp: time,
    },
    raw_data_hex: "",
  };
}
