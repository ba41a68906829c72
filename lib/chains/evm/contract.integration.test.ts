import { SMALL_PURSE } from "@/chaos/chains/evm-payers";
import { startEvmChaosChain } from "@/chaos/chains/start-evm-chain";
import { evmFalsifications } from "@/chaos/faults/evm-falsifications";
import { getNetwork } from "@/lib/domain/networks";
import { EVM_FALSE_RECEIPTS } from "@/testing/chains/contract/false-receipts";
import { testFamily } from "@/testing/chains/family-contract";
import { startScriptedEvm } from "@/testing/chains/scripted/evm-node";

const network = getNetwork("ethereum");

testFamily({
  network,
  startLocal: () => startEvmChaosChain(network, { purse: SMALL_PURSE }),
  startScripted: () => startScriptedEvm(network),
  blocks: { final: 14, verify: 8, pruned: 40 },
  falsifications: evmFalsifications,
  // Headers, logs and receipts of one block all come from one node, so omitted logs are found only by a second read.
  hiding: ["no logs where there are some", "no logs now and then"],
  falseReceipts: EVM_FALSE_RECEIPTS,
  unknownTxId: `0x${"12".repeat(32)}`,
});
