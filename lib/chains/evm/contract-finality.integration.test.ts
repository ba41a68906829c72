import { describe } from "vitest";
import { SMALL_PURSE } from "@/chaos/chains/evm-payers";
import { startEvmChaosChain } from "@/chaos/chains/start-evm-chain";
import { evmFalsifications } from "@/chaos/faults/evm-falsifications";
import { getNetwork } from "@/lib/domain/networks";
import { EVM_FALSE_RECEIPTS } from "@/testing/chains/contract/false-receipts";
import { testFinality } from "@/testing/chains/contract/finality";
import { testForgeries } from "@/testing/chains/contract/forgeries";
import { testIdentity } from "@/testing/chains/contract/identity";
import { testTimes } from "@/testing/chains/contract/times";
import { testFamily } from "@/testing/chains/family-contract";
import { startScriptedEvm } from "@/testing/chains/scripted/evm-node";

// These sections depend on the read method and the finality rule of a network. This file runs them for the methods that Ethereum does not
// use.
describe.each([
  { id: "optimism", rule: "by block time", sections: [testFinality, testTimes], final: 36, verify: 4 },
  { id: "plasma", rule: "by the finalized tag", sections: [testFinality, testForgeries], final: 12, verify: 48 },
  { id: "bsc", rule: "by the finalized tag, read in ranges", sections: [testIdentity], final: 12, verify: 40 },
])("on $id, final $rule", ({ id, sections, final, verify }) => {
  const network = getNetwork(id);
  testFamily(
    {
      network,
      startLocal: () => startEvmChaosChain(network, { purse: SMALL_PURSE }),
      startScripted: () => startScriptedEvm(network),
      blocks: { final, verify, pruned: 40 },
      falsifications: evmFalsifications,
      hiding: [],
      falseReceipts: EVM_FALSE_RECEIPTS,
      unknownTxId: `0x${"12".repeat(32)}`,
    },
    sections,
  );
});
