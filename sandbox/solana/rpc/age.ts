import { z } from "zod";
import { solanaError } from "@/sandbox/solana/rpc/answer-error";
import type { Config } from "@/sandbox/solana/rpc/params";
import type { TransactionVersion } from "@/sandbox/solana/transactions/message";

/** What nodes of different age do differently; a part that is left out is as on nodes of today. */
export const Age = z.object({
  /** Refuses to be told that the caller reads a higher version; null = takes any, as Agave does, where it is one byte. */
  highestVersion: z
    .union([z.literal(0), z.literal(1)])
    .nullable()
    .default(null),
  /** Before Agave 3.1 a history with an unknown `before` was empty, and an unknown `until` was overlooked. */
  unknownFilter: z.enum(["refused", "ignored"]).default("refused"),
  /** Agave has getAgGenesisCert since 4.3. */
  isBefore43: z.boolean().default(false),
});
export type Age = z.infer<typeof Age>;

/** How a node behaves now; the control calls change it. */
export interface Manners {
  age: Age;
  /** Transactions of a version that this node cannot put into words, whatever the caller reads. */
  readonly unreadable: Map<string, number>;
}

/** A node of today. */
export function newManners(): Manners {
  return { age: Age.parse({}), unreadable: new Map() };
}

/** @throws RpcProblem −32602 where the node is too old to know the version that the caller says it reads. */
export function checkDeclared({ age }: Manners, { maxSupportedTransactionVersion: declared }: Config): void {
  if (age.highestVersion !== null && (declared ?? 0) > age.highestVersion)
    throw solanaError.invalidParam(
      `maxSupportedTransactionVersion ${declared}: at most ${age.highestVersion} is supported`,
    );
}

/**
 * The version beside a transaction: none for a caller who declares nothing. As Agave's validate_version in
 * transaction-status/src/lib.rs. @throws RpcProblem −32015 for one above what the caller declares to read
 */
export function shownVersion(
  version: TransactionVersion,
  { maxSupportedTransactionVersion: declared }: Pick<Config, "maxSupportedTransactionVersion">,
): { version?: TransactionVersion } {
  if (version !== "legacy" && version > (declared ?? -1)) throw solanaError.version(version);
  return declared === undefined || declared === null ? {} : { version };
}
