import { describe } from "vitest";
import { evmLies } from "@/chaos/evm-lies";
import { startEvmChaosChain } from "@/chaos/start-evm-chain";
import { useFaultyEndpoints } from "@/db/testing-endpoint-faults";
import { testFaults } from "@/db/testing-fault-table";
import { getNetwork } from "@/lib/domain/networks";

const network = getNetwork("ethereum");
const endpoints = useFaultyEndpoints(() => startEvmChaosChain(network));

describe("Ethereum", () => {
  testFaults(endpoints, {
    lies: evmLies(() => endpoints.world.chain.height),
    blocks: { final: 12, reread: 8 },
    // Headers, logs and receipts of one block all come from the same node: what it leaves out, only a second look finds.
    hiding: ["no logs where there are some", "no logs now and then"],
  });
});
