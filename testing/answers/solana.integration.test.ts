import { solanaByBlocks, solanaByHistories } from "@/testing/answers/solana-scene";
import { testAnswers } from "@/testing/answers/test-answers";

testAnswers({ "Solana by histories": solanaByHistories, "Solana by blocks": solanaByBlocks });
