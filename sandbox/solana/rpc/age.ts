import * as z from "zod";
import { solanaError } from "@/sandbox/solana/rpc/answer-error";
import type { Config } from "@/sandbox/solana/rpc/params";
import type { TransactionVersion } from "@/sandbox/solana/transactions/message";

/** The version-dependent behavior of a node. Omitted settings default to the behavior of current nodes. */
export const Age = z.object({
  /** The highest version that calls may declare. With null, any version is accepted, as in Agave, where the version is one byte. */
  highestVersion: z
    .union([z.literal(0), z.literal(1)])
    .nullable()
    .default(null),
  /**
   * The response to a history request with an unknown `before` or `until`. Before Agave 3.1, an unknown `before` returned an empty
   * history, and an unknown `until` was ignored.
   */
  unknownFilter: z.enum(["refused", "ignored"]).default("refused"),
  /** True if the node is older than Agave 4.3, which added getAgGenesisCert. */
  isBefore43: z.boolean().default(false),
});
export type Age = z.infer<typeof Age>;

/** The current behavior of a node, which control calls change. */
export interface Manners {
  age: Age;
  /** The versions of transactions that this node cannot encode, by signature, regardless of the versions that the caller supports. */
  readonly unreadable: Map<string, number>;
}

/** Returns the behavior of a current node. */
export function newManners(): Manners {
  return { age: Age.parse({}), unreadable: new Map() };
}

/**
 * Checks the version that the caller declares.
 * @throws RpcProblem −32602 if the node is too old for it
 */
export function checkDeclared({ age }: Manners, { maxSupportedTransactionVersion: declared }: Config): void {
  if (age.highestVersion !== null && (declared ?? 0) > age.highestVersion)
    throw solanaError.invalidParam(
      `maxSupportedTransactionVersion ${declared}: at most ${age.highestVersion} is supported`,
    );
}

/**
 * Returns the version to show with a transaction, or no version if the caller declares none. Works like Agave's validate_version in
 * transaction-status/src/lib.rs.
 * @throws RpcProblem −32015 if the version is above the one that the caller declares
 */
export function shownVersion(
  version: TransactionVersion,
  { maxSupportedTransactionVersion: declared }: Pick<Config, "maxSupportedTransactionVersion">,
): { version?: TransactionVersion } {
  if (version !== "legacy" && version > (declared ?? -1)) throw solanaError.version(version);
  return declared === undefined || declared === null ? {} : { version };
}
