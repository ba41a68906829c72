import { describe } from "vitest";
import { startSolanaChaosChain } from "@/chaos/chains/solana-chain";
import { SOLANA_LIES } from "@/chaos/faults/solana-lies";
import { createRandom } from "@/chaos/plan/random";
import { getNetwork } from "@/lib/domain/networks";
import { useFaultyEndpoints } from "@/testing/faults/endpoint-faults";
import { testFaults } from "@/testing/faults/table";

const network = getNetwork("solana");

/** What nobody shows is kept for a person and stops nothing; it is in the ledger as soon as somebody does. */
const KEPT = ["a node that cannot put version 1 into words", "a node that knows no version above 0"];

describe("Solana by accounts", () => {
  const endpoints = useFaultyEndpoints(() => startSolanaChaosChain(network, createRandom(1)));
  const hiding = [...KEPT, "no signatures where there are some", "no signatures now and then", "mixed backends"];
  testFaults(endpoints, { lies: SOLANA_LIES, blocks: { final: 14, verify: 320 }, hiding });
});

describe("Solana by blocks", () => {
  const endpoints = useFaultyEndpoints(() => startSolanaChaosChain(network, createRandom(1)), {
    receivers: 26,
    goesOn: true,
  });
  const hiding = [...KEPT, "blocks without their transactions"];
  testFaults(endpoints, { lies: SOLANA_LIES, blocks: { final: 14, verify: 16 }, hiding });
});
