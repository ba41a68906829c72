import { RpcProblem } from "@/sandbox/nodes/json-rpc-answer";

/** The errors of a Solana node, with Agave's codes and messages. */
export const solanaError = {
  invalidParam: (why: string) => new RpcProblem(-32602, `Invalid param: ${why}`),
  unsupportedCommitment: () => new RpcProblem(-32602, "Method does not support commitment below `confirmed`"),
  notYet: (slot: number) => new RpcProblem(-32004, `Block not available for slot ${slot}`),
  skipped: (slot: number) =>
    new RpcProblem(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`),
  skippedLongAgo: (slot: number) => new RpcProblem(-32009, `Slot ${slot} was skipped, or missing in long-term storage`),
  badSignature: () => new RpcProblem(-32003, "Transaction signature verification failure"),
  version: (version: number) =>
    new RpcProblem(
      -32015,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    ),
  /** Since Agave 3.1, a history request with an unknown end is rejected. Earlier versions ignored that end. */
  unknownFilter: (signature: string) => new RpcProblem(-32020, `Transaction ${signature} not found`),
  contextSlot: (slot: number) =>
    new RpcProblem(-32016, "Minimum context slot has not been reached", { contextSlot: slot }),
  simulationFailed: (text: string, data: unknown) =>
    new RpcProblem(-32002, `Transaction simulation failed: ${text}`, data),
};
