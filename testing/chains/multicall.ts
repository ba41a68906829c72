import { createRequire } from "node:module";
import path from "node:path";
import type { TestChain } from "@/testing/chains/evm";

const MULTICALL = "0xcA11bde05977b3631167028862bE2a173976CA11";

/** Deploys Multicall3, with the bytecode from the library for EVM chains, at its usual address. */
export async function putMulticall({ node }: Pick<TestChain, "node">): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  const file = path.join(path.dirname(resolve("viem")), "constants/contracts.js");
  const { multicall3Bytecode } = (await import(file)) as { multicall3Bytecode: string };
  const code = await node.call("eth_call", [{ data: multicall3Bytecode }, "latest"]);
  await node.call("anvil_setCode", [MULTICALL, code]);
}
