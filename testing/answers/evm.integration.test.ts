import { evmByLogs, evmByReceipts } from "@/testing/answers/evm-scene";
import { testAnswers } from "@/testing/answers/test-answers";

testAnswers({ "EVM by logs": evmByLogs, "EVM by receipts": evmByReceipts });
