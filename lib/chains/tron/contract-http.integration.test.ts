import { SMALL_PURSE } from "@/chaos/chains/evm-payers";
import { startTronChaosChain } from "@/chaos/chains/tron-chain";
import { tronHttpFalsifications } from "@/chaos/faults/tron-http-falsifications";
import { getNetwork } from "@/lib/domain/networks";
import { TRON_HTTP_FALSE_RECEIPTS } from "@/testing/chains/contract/false-receipts";
import { testFamily } from "@/testing/chains/family-contract";
import { startScriptedTron } from "@/testing/chains/scripted/tron-node";

const network = getNetwork("tron");

testFamily({
  network,
  startLocal: () => startTronChaosChain(network, { purse: SMALL_PURSE }),
  startScripted: () => startScriptedTron(network),
  api: 1,
  beside: 0,
  blocks: { final: 10, verify: 24, pruned: 40 },
  falsifications: tronHttpFalsifications,
  hiding: ["blocks without their transactions"],
  falseReceipts: TRON_HTTP_FALSE_RECEIPTS,
  unknownTxId: `0x${"12".repeat(32)}`,
});
