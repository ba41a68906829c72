import { startSolanaChaosChain } from "@/chaos/chains/solana-chain";
import { SOLANA_FALSIFICATIONS } from "@/chaos/faults/solana-falsifications";
import { createRandom } from "@/chaos/plan/random";
import { getNetwork } from "@/lib/domain/networks";
import { SOLANA_FALSE_RECEIPTS } from "@/testing/chains/contract/false-receipts";
import { testFamily } from "@/testing/chains/family-contract";
import { startScriptedSolana } from "@/testing/chains/scripted/solana-node";

const network = getNetwork("solana");

/**
 * Faults of nodes that cannot return a transaction. The transaction is queued for manual review and does not delay other transactions; it
 * is credited once a node returns it.
 */
const KEPT = ["a node that cannot put version 1 into words", "a node that knows no version above 0"];

testFamily({
  network,
  startLocal: () => startSolanaChaosChain(network, createRandom(1)),
  startScripted: () => startScriptedSolana(network),
  maxAccounts: 50,
  blocks: { final: 14, verify: 320, pruned: 3_200 },
  falsifications: () => SOLANA_FALSIFICATIONS,
  hiding: [...KEPT, "no signatures where there are some", "no signatures now and then", "mixed backends"],
  falseReceipts: SOLANA_FALSE_RECEIPTS,
  unknownTxId: "5".repeat(87),
});
