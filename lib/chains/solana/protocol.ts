import * as z from "zod";
import type { Ask } from "@/lib/chains/endpoints/endpoint-call";
import { callRpc, kindOfRpcError, type NodeProtocol } from "@/lib/chains/endpoints/rpc";
import type { ChainErrorKind } from "@/lib/chains/endpoints/source";
import { Slot } from "@/lib/chains/solana/wire";

/**
 * Error codes of Solana nodes (Agave, rpc-client-api/src/custom_error.rs; the last two since its versions 2.2 and 4.0).
 */
const CODE = {
  blockCleanedUp: -32001,
  blockNotAvailable: -32004,
  nodeUnhealthy: -32005,
  slotSkipped: -32007,
  noSnapshot: -32008,
  longTermSlotSkipped: -32009,
  historyNotAvailable: -32011,
  statusNotAvailableYet: -32014,
  unsupportedVersion: -32015,
  minContextSlotNotReached: -32016,
  longTermStorageUnreachable: -32019,
  filterTransactionNotFound: -32020,
} as const;

/** The error codes of nodes that lag or lack the requested part of the history, so that a different node is queried. */
const ASK_ANOTHER: ReadonlySet<number> = new Set([
  CODE.blockCleanedUp,
  CODE.blockNotAvailable,
  CODE.noSnapshot,
  CODE.historyNotAvailable,
  CODE.statusNotAvailableYet,
  CODE.minContextSlotNotReached,
  CODE.longTermStorageUnreachable,
  CODE.filterTransactionNotFound,
]);

const UNSUPPORTED_VERSION = /transaction version .{1,8} is not supported/i;
const Notification = z.object({ result: z.object({ slot: Slot }) });
const Genesis = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);

/** The JSON-RPC protocol of Solana's nodes; a cluster is identified by the hash of its first block. */
export const SOLANA_PROTOCOL: NodeProtocol = {
  identify: { method: "getGenesisHash", params: [], read: (result) => Genesis.safeParse(result).data ?? null },
  kindOfError: kindOfSolanaError,
  callOf: () => callRpc,
  receiptLag: 0,
  hasPastState: false,
  heads: {
    subscribe: { method: "slotSubscribe", params: [] },
    notification: "slotNotification",
    heightOf: (params) => Notification.safeParse(params).data?.result.slot ?? null,
  },
};

/** Returns true if an error means that a slot has no block. */
export function isSkipped(code: number): boolean {
  return code === CODE.slotSkipped || code === CODE.longTermSlotSkipped;
}

/** Classifies a JSON-RPC error of a Solana node; unknown codes are classified as for all families. */
export function kindOfSolanaError(method: string, code: number, message: string): ChainErrorKind {
  if (ASK_ANOTHER.has(code) || isSkipped(code)) return "inconsistent";
  if (code === CODE.unsupportedVersion || UNSUPPORTED_VERSION.test(message)) return "unreadable";
  if (code === CODE.nodeUnhealthy) return /limit|too many/i.test(message) ? "rateLimited" : "unavailable";
  return kindOfRpcError(method, code, message);
}

/**
 * Returns the parameters of a call that accept all possible transaction versions in the response. Only balances before and after are read,
 * and they do not depend on the version (SIMD-0385: a version is the lower seven bits of a byte). Nodes and providers that reject the
 * highest possible version receive 1, and then 0.
 */
export function inAnyVersion(
  paramsOf: (version: number) => readonly unknown[],
): Pick<Ask<unknown>, "params" | "better"> {
  return {
    params: paramsOf(0),
    better: [
      { params: paramsOf(127), needs: "anyVersion" },
      { params: paramsOf(1), needs: "versionOne" },
    ],
  };
}

/** Returns the parameters that request a transaction by its signature. */
export function transactionParams(signature: string, commitment: "confirmed" | "finalized") {
  return inAnyVersion((maxSupportedTransactionVersion) => [
    signature,
    { commitment, encoding: "json", maxSupportedTransactionVersion },
  ]);
}
