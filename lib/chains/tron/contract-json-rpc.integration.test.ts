import { SMALL_PURSE } from "@/chaos/chains/evm-payers";
import { startTronChaosChain } from "@/chaos/chains/tron-chain";
import { evmFalsifications } from "@/chaos/faults/evm-falsifications";
import { getNetwork } from "@/lib/domain/networks";
import { EVM_FALSE_RECEIPTS } from "@/testing/chains/contract/false-receipts";
import { testFamily } from "@/testing/chains/family-contract";
import { startScriptedTron } from "@/testing/chains/scripted/tron-node";

const network = getNetwork("tron");

testFamily({
  network,
  startLocal: () => startTronChaosChain(network, { purse: SMALL_PURSE }),
  startScripted: () => startScriptedTron(network),
  api: 0,
  beside: 1,
  blocks: { final: 10, verify: 24, pruned: 40 },
  falsifications: evmFalsifications,
  hiding: ["no logs where there are some", "no logs now and then", "mixed backends"],
  falseReceipts: EVM_FALSE_RECEIPTS,
  unknownTxId: `0x${"12".repeat(32)}`,
});
