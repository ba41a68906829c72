import { tronByHttp, tronByRpc } from "@/testing/answers/evm-scene";
import { testAnswers } from "@/testing/answers/test-answers";

testAnswers({ "TRON by JSON-RPC": tronByRpc, "TRON by HTTP": tronByHttp });
