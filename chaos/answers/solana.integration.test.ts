import { solanaByBlocks, solanaByHistories } from "@/chaos/answers/solana-scene";
import { testAnswers } from "@/chaos/answers/test-answers";

testAnswers({ "Solana by histories": solanaByHistories, "Solana by blocks": solanaByBlocks });
