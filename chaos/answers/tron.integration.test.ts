import { tronByHttp, tronByRpc } from "@/chaos/answers/evm-scene";
import { testAnswers } from "@/chaos/answers/test-answers";

testAnswers({ "TRON by JSON-RPC": tronByRpc, "TRON by HTTP": tronByHttp });
