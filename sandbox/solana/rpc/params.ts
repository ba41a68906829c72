import * as z from "zod";
import type { Chain } from "@/sandbox/solana/chain";
import type { Commitment } from "@/sandbox/solana/commitments";
import { solanaError } from "@/sandbox/solana/rpc/answer-error";

const Config = z.object({
  commitment: z.string().optional(),
  encoding: z.enum(["json", "jsonParsed", "base58", "base64"]).optional(),
  minContextSlot: z.number().optional(),
  /** Real nodes use one byte for this version. */
  maxSupportedTransactionVersion: z.number().int().min(0).max(255).nullish(),
  transactionDetails: z.enum(["full", "accounts", "signatures", "none"]).optional(),
  rewards: z.boolean().optional(),
  limit: z.number().int().min(1).max(1_000).optional(),
  before: z.string().nullish(),
  until: z.string().nullish(),
  skipPreflight: z.boolean().optional(),
  preflightCommitment: z.string().optional(),
  sigVerify: z.boolean().optional(),
  replaceRecentBlockhash: z.boolean().optional(),
  accounts: z.object({ addresses: z.array(z.string()) }).nullish(),
  dataSlice: z.object({ offset: z.number(), length: z.number() }).nullish(),
});
/** The last parameter of most calls. */
export type Config = z.infer<typeof Config>;

export const Slot = z.number().int().min(0);
export const Key = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, "Invalid param: Invalid");
export const Signature = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/, "Invalid param: Invalid");

/** Returns the configuration object at a parameter index. A bare string there is an encoding, as sent by old clients. */
export function configAt(params: readonly unknown[], index: number): Config {
  const given = params[index] ?? {};
  return Config.parse(typeof given === "string" ? { encoding: given } : given);
}

const LEVELS: Readonly<Record<string, Commitment>> = {
  processed: "processed",
  recent: "processed",
  confirmed: "confirmed",
  single: "confirmed",
  singleGossip: "confirmed",
  finalized: "finalized",
  root: "finalized",
  max: "finalized",
};

/**
 * Returns the requested commitment; the default is finalized.
 * @throws RpcProblem if the commitment does not exist
 */
export function commitmentOf(config: Config): Commitment {
  const level = LEVELS[config.commitment ?? "finalized"];
  if (!level) throw solanaError.invalidParam(`unknown commitment ${config.commitment}`);
  return level;
}

/**
 * Returns the requested commitment of a call that reads history.
 * @throws RpcProblem if the commitment is processed
 */
export function historyCommitmentOf(config: Config): "confirmed" | "finalized" {
  const level = commitmentOf(config);
  if (level === "processed") throw solanaError.unsupportedCommitment();
  return level;
}

/**
 * Returns the slot of the requested commitment.
 * @throws RpcProblem −32016 if the slot is below the caller's `minContextSlot`
 */
export function contextSlot(chain: Chain, config: Config): number {
  const slot = chain.slot(commitmentOf(config));
  if ((config.minContextSlot ?? 0) > slot) throw solanaError.contextSlot(slot);
  return slot;
}

/** Returns a response with the slot that it is valid for. */
export function inContext<T>(slot: number, value: T) {
  return { context: { apiVersion: API_VERSION, slot }, value };
}

export const API_VERSION = "4.3.0";
