import { type Fault, passOn } from "@/chaos/faults/fault-proxy";
import type { Family } from "@/lib/domain/networks";

interface EvmReceipt {
  logs: { data: string }[];
}

interface SolanaTransaction {
  slot: number;
  meta: { postTokenBalances: { uiTokenAmount: { amount: string } }[] };
}

type Lies = Readonly<Record<"another amount" | "another block" | "nothing", Fault>>;

const BLOCK_OF_NOBODY = `0x${"9".repeat(64)}`;

const EVM_LIES: Lies = {
  "another amount": change("eth_getTransactionReceipt", (receipt: EvmReceipt) => ({
    ...receipt,
    logs: receipt.logs.map((log) => ({ ...log, data: `0x${(BigInt(log.data) * 2n).toString(16).padStart(64, "0")}` })),
  })),
  "another block": change("eth_getTransactionReceipt", (receipt: EvmReceipt) => ({
    ...receipt,
    blockHash: BLOCK_OF_NOBODY,
  })),
  nothing: change("eth_getTransactionReceipt", () => null),
};

const SOLANA_LIES: Lies = {
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

/** What an endpoint of a family may say of a transaction that is not so, for those that must agree on it. */
export const RECEIPT_LIES: Readonly<Record<Family, Lies>> = { evm: EVM_LIES, tron: EVM_LIES, solana: SOLANA_LIES };

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
