import { tronByHttp, tronByRpc } from "@/testing/answers/evm-scene";
import { testAnswers } from "@/testing/answers/test-answers";

testAnswers({ "TRON via JSON-RPC": tronByRpc, "TRON via HTTP": tronByHttp });
