import { describe } from "vitest";
import { createRandom } from "@/chaos/random";
import { startSolanaChaosChain } from "@/chaos/solana-chain";
import { SOLANA_LIES } from "@/chaos/solana-lies";
import { useFaultyEndpoints } from "@/db/testing-endpoint-faults";
import { testFaults } from "@/db/testing-fault-table";
import { getNetwork } from "@/lib/domain/networks";

const network = getNetwork("solana");

/** What nobody shows is kept for a person and stops nothing; it is in the ledger as soon as somebody does. */
const KEPT = ["a node that cannot put version 1 into words", "a node that knows no version above 0"];

describe("Solana by accounts", () => {
  const endpoints = useFaultyEndpoints(() => startSolanaChaosChain(network, createRandom(1)));
  const hiding = [...KEPT, "no signatures where there are some", "no signatures now and then", "mixed backends"];
  testFaults(endpoints, { lies: SOLANA_LIES, blocks: { final: 14, reread: 320 }, hiding });
});

describe("Solana by blocks", () => {
  const endpoints = useFaultyEndpoints(() => startSolanaChaosChain(network, createRandom(1)), {
    receivers: 26,
    goesOn: true,
  });
  const hiding = [...KEPT, "blocks without their transactions"];
  testFaults(endpoints, { lies: SOLANA_LIES, blocks: { final: 14, reread: 16 }, hiding });
});
