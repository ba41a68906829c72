import { type Fault, passOn } from "@/chaos/faults/fault-proxy";
import type { FalseReceipts } from "@/testing/chains/contract/driver";

interface EvmReceipt {
  logs: { data: string }[];
}

interface SolanaTransaction {
  slot: number;
  meta: { postTokenBalances: { uiTokenAmount: { amount: string } }[] };
}

const UNKNOWN_BLOCK = `0x${"9".repeat(64)}`;

/** Forged receipts of Ethereum's JSON-RPC. */
export const EVM_FALSE_RECEIPTS: FalseReceipts = {
  "another amount": change("eth_getTransactionReceipt", (receipt: EvmReceipt) => ({
    ...receipt,
    logs: receipt.logs.map((log) => ({ ...log, data: `0x${(BigInt(log.data) * 2n).toString(16).padStart(64, "0")}` })),
  })),
  "another block": change("eth_getTransactionReceipt", (receipt: EvmReceipt) => ({
    ...receipt,
    blockHash: UNKNOWN_BLOCK,
  })),
  nothing: change("eth_getTransactionReceipt", () => null),
};

/** Forged transactions of Solana's JSON-RPC. */
export const SOLANA_FALSE_RECEIPTS: FalseReceipts = {
  "another amount": change("getTransaction", ({ meta, ...transaction }: SolanaTransaction) => ({
    ...transaction,
    meta: { ...meta, postTokenBalances: meta.postTokenBalances.map(twiceAsMuch) },
  })),
  "another block": change("getTransaction", (transaction: SolanaTransaction) => ({
    ...transaction,
    slot: transaction.slot - 1,
  })),
  nothing: change("getTransaction", () => null),
};

interface TronInfo {
  blockNumber: number;
  log?: { data: string }[];
}

const INFO = "/wallet/gettransactioninfobyid";
const INFOS = "/wallet/gettransactioninfobyblocknum";

/** Forged receipts of TRON's HTTP API, which is queried for a transaction's block and then for all receipts of that block. */
export const TRON_HTTP_FALSE_RECEIPTS: FalseReceipts = {
  "another amount": change(INFOS, (infos: TronInfo[]) =>
    infos.map((info) => ({
      ...info,
      log: info.log?.map((log) => ({ ...log, data: (BigInt(`0x${log.data}`) * 2n).toString(16).padStart(64, "0") })),
    })),
  ),
  "another block": change(INFO, (info: TronInfo) => ({ ...info, blockNumber: info.blockNumber - 1 })),
  nothing: change(INFO, () => ({})),
};

function change<T>(method: string, to: (result: T) => unknown): Fault {
  return async (exchange) => {
    if (exchange.call.method !== method) return passOn(exchange);
    const passed = await exchange.pass();
    if (passed) exchange.answer(passed.result === null ? null : to(passed.result as T));
  };
}

function twiceAsMuch<T extends { uiTokenAmount: { amount: string } }>(balance: T): T {
  const amount = String(BigInt(balance.uiTokenAmount.amount) * 2n);
  return { ...balance, uiTokenAmount: { ...balance.uiTokenAmount, amount } };
}
