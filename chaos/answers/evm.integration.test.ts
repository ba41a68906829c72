import { evmByLogs, evmByReceipts } from "@/chaos/answers/evm-scene";
import { testAnswers } from "@/chaos/answers/test-answers";

testAnswers({ "EVM by logs": evmByLogs, "EVM by receipts": evmByReceipts });
