import { describe } from "vitest";
import { SMALL_PURSE } from "@/chaos/chains/evm-payers";
import { startTronChaosChain } from "@/chaos/chains/tron-chain";
import { evmLies } from "@/chaos/faults/evm-lies";
import { tronHttpLies } from "@/chaos/faults/tron-http-lies";
import { getNetwork } from "@/lib/domain/networks";
import { useFaultyEndpoints } from "@/testing/faults/endpoint-faults";
import { testFaults } from "@/testing/faults/table";

const network = getNetwork("tron");
const endpoints = useFaultyEndpoints(() => startTronChaosChain(network, { purse: SMALL_PURSE }));
const height = () => endpoints.world.chain.height;
const blocks = { final: 10, verify: 24 };
const jsonRpc = 0;
const http = 1;

describe("TRON by JSON-RPC", () => {
  const hiding = ["no logs where there are some", "no logs now and then", "mixed backends"];
  testFaults(endpoints, { lies: evmLies(height), blocks, hiding, sick: jsonRpc, beside: http });
});

describe("TRON by HTTP", () => {
  const hiding = ["blocks without their transactions"];
  testFaults(endpoints, { lies: tronHttpLies(height), blocks, hiding, sick: http, beside: jsonRpc });
});
