import { describe } from "vitest";
import { SMALL_PURSE } from "@/chaos/chains/evm-payers";
import { startEvmChaosChain } from "@/chaos/chains/start-evm-chain";
import { evmLies } from "@/chaos/faults/evm-lies";
import { getNetwork } from "@/lib/domain/networks";
import { useFaultyEndpoints } from "@/testing/faults/endpoint-faults";
import { testFaults } from "@/testing/faults/table";

const network = getNetwork("ethereum");
const endpoints = useFaultyEndpoints(() => startEvmChaosChain(network, { purse: SMALL_PURSE }));

describe("Ethereum", () => {
  testFaults(endpoints, {
    lies: evmLies(() => endpoints.world.chain.height),
    blocks: { final: 12, verify: 8 },
    // Headers, logs and receipts of one block all come from the same node: what it leaves out, only a second look finds.
    hiding: ["no logs where there are some", "no logs now and then"],
  });
});
