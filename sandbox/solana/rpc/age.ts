import { z } from "zod";
import { solanaError } from "@/sandbox/solana/rpc/answer-error";
import type { Config } from "@/sandbox/solana/rpc/params";
import type { TransactionVersion } from "@/sandbox/solana/transactions/message";

/** The behaviour of nodes of different age; a part that is left out is as on current nodes. */
export const Age = z.object({
  /** Refuses calls that declare a higher version; null: accepts any, as Agave does, where it is one byte. */
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

/** The current behaviour of a node; control calls change it. */
export interface Manners {
  age: Age;
  /** Transactions of a version that this node cannot encode, whatever the caller supports. */
  readonly unreadable: Map<string, number>;
}

/** A node of today. */
export function newManners(): Manners {
  return { age: Age.parse({}), unreadable: new Map() };
}

/** @throws RpcProblem −32602 if the node is too old for the version that the caller declares */
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
