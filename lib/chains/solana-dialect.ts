import { z } from "zod";
import type { Dialect } from "@/lib/chains/dialect";
import { callRpc } from "@/lib/chains/rpc";
import { kindOfRpcError } from "@/lib/chains/rpc-error";
import type { ChainErrorKind } from "@/lib/chains/source";

/** Codes of Solana nodes (Agave, rpc-client-api/src/custom_error.rs). */
const CODE = {
  blockCleanedUp: -32001,
  blockNotAvailable: -32004,
  nodeUnhealthy: -32005,
  slotSkipped: -32007,
  noSnapshot: -32008,
  longTermSlotSkipped: -32009,
  historyNotAvailable: -32011,
  statusNotAvailableYet: -32014,
  minContextSlotNotReached: -32016,
} as const;

/** This node lags, or lacks that part of the past: another one may know. */
const ASK_ANOTHER: ReadonlySet<number> = new Set([
  CODE.blockCleanedUp,
  CODE.blockNotAvailable,
  CODE.noSnapshot,
  CODE.historyNotAvailable,
  CODE.statusNotAvailableYet,
  CODE.minContextSlotNotReached,
]);

const Genesis = z.string().min(32).max(44);

/** How Solana's nodes say which cluster they serve, and what their errors mean. */
export const SOLANA_DIALECT: Dialect = {
  identify: { method: "getGenesisHash", params: [], read: (result) => Genesis.safeParse(result).data ?? null },
  kindOfError: kindOfSolanaError,
  callOf: () => callRpc,
  receiptLag: 0,
};

/** Whether an error says that a slot has no block. */
export function isSkipped(code: number): boolean {
  return code === CODE.slotSkipped || code === CODE.longTermSlotSkipped;
}

/** What a JSON-RPC error of a Solana node means; codes it has no word for are read as everywhere else. */
export function kindOfSolanaError(method: string, code: number, message: string): ChainErrorKind {
  if (ASK_ANOTHER.has(code) || isSkipped(code)) return "inconsistent";
  if (code === CODE.nodeUnhealthy) return /limit|too many/i.test(message) ? "rateLimited" : "unavailable";
  return kindOfRpcError(method, code, message);
}
