import { expect, test } from "vitest";
import { isSkipped, kindOfSolanaError, SOLANA_PROTOCOL } from "@/lib/chains/solana/protocol";
import { getNetwork } from "@/lib/domain/networks";

test.each([-32007, -32009])("%i is a skipped slot, and nothing else is", (code) => {
  expect(isSkipped(code)).toBe(true);
  for (const other of [
    -32001, -32004, -32005, -32008, -32011, -32014, -32015, -32016, -32019, -32020, -32602, -32603, 0,
  ]) {
    expect(isSkipped(other)).toBe(false);
  }
});

test.each([
  [-32001, "Block 41 cleaned up, does not exist on node. First available block: 90", "inconsistent"],
  [-32004, "Block not available for slot 41", "inconsistent"],
  [-32007, "Slot 41 was skipped, or missing due to ledger jump to recent snapshot", "inconsistent"],
  [-32008, "No snapshot", "inconsistent"],
  [-32009, "Slot 41 was skipped, or missing in long-term storage", "inconsistent"],
  [-32011, "Transaction history is not available from this node", "inconsistent"],
  [-32014, "Block status not yet available for slot", "inconsistent"],
  [-32016, "Minimum context slot has not been reached", "inconsistent"],
  [-32005, "Node is behind by 42 slots", "unavailable"],
  [-32005, "Node is unhealthy", "unavailable"],
  [-32005, "Rate limit exceeded", "rateLimited"],
  [-32429, "Too many requests for a specific RPC call", "rateLimited"],
  [-32601, "Method not found", "refused"],
  [-32602, "Invalid params: invalid length", "refused"],
  [-32015, "Transaction version (1) is not supported by the requesting client", "unreadable"],
  [-32603, "Transaction version (1) is not supported by the requesting client", "unreadable"],
  [-32019, "Failed to query long-term storage; please try again", "inconsistent"],
  [-32020, "Transaction 5abc was not found for the before filter", "inconsistent"],
  [-32603, "Internal error", "unavailable"],
] as const)("%i %s: %s", (code, message, kind) => {
  expect(kindOfSolanaError("getBlock", code, message)).toBe(kind);
});

test("a cluster is known by the hash of its first block", () => {
  const { method, read } = SOLANA_PROTOCOL.identify;
  expect(method).toBe("getGenesisHash");
  expect(read("5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d")).toBe(getNetwork("solana").chainId);
  for (const answer of [null, 1, "", {}, "x".repeat(45)]) expect(read(answer)).toBeNull();
});
