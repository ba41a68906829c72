import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import solc from "solc";

const FOLDER = import.meta.dirname;

/** Compiles TestToken.sol. @returns the runtime code, as 0x hex. @throws Error with the compiler's message. */
export function compileTestToken(): string {
  const input = {
    language: "Solidity",
    sources: { "TestToken.sol": { content: readFileSync(path.join(FOLDER, "TestToken.sol"), "utf8") } },
    settings: {
      evmVersion: "paris",
      optimizer: { enabled: true, runs: 200 },
      metadata: { appendCBOR: false, bytecodeHash: "none" },
      outputSelection: { "TestToken.sol": { TestToken: ["evm.deployedBytecode.object"] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  if (output.errors?.length)
    throw new Error(output.errors.map((error: { formattedMessage: string }) => error.formattedMessage).join("\n"));
  return `0x${output.contracts["TestToken.sol"].TestToken.evm.deployedBytecode.object}`;
}

// Run this after changing the source: node sandbox/token/compile.ts
if (import.meta.main) {
  const compiled = { source: "TestToken.sol", compiler: solc.version(), runtimeCode: compileTestToken() };
  writeFileSync(path.join(FOLDER, "test-token.json"), `${JSON.stringify(compiled, null, 2)}\n`);
}
