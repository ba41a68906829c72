import { describe } from "vitest";
import { startSolanaChaosChain } from "@/chaos/solana-chain";
import { SOLANA_LIES } from "@/chaos/solana-lies";
import { useFaultyEndpoints } from "@/db/testing-endpoint-faults";
import { testFaults } from "@/db/testing-fault-table";
import { getNetwork } from "@/lib/domain/networks";

const network = getNetwork("solana");

describe("Solana by accounts", () => {
  const endpoints = useFaultyEndpoints(() => startSolanaChaosChain(network));
  const hiding = ["no signatures where there are some", "no signatures now and then", "mixed backends"];
  testFaults(endpoints, { lies: SOLANA_LIES, blocks: { final: 14, reread: 320 }, hiding });
});

describe("Solana by blocks", () => {
  const endpoints = useFaultyEndpoints(() => startSolanaChaosChain(network), { receivers: 26, goesOn: true });
  const hiding = ["blocks without their transactions"];
  testFaults(endpoints, { lies: SOLANA_LIES, blocks: { final: 14, reread: 16 }, hiding });
});
