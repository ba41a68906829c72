import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import solc from "solc";

const FOLDER = import.meta.dirname;
export const SETTINGS = {
  // The oldest that every network runs: one bytecode, and so one address, on all of them.
  evmVersion: "paris",
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { appendCBOR: false, bytecodeHash: "none" },
};

interface Compiled {
  /** The code that a deployment sends. 0x hex. */
  creationCode: string;
  /** The code on the chain, with immutables still zero. 0x hex. */
  runtimeCode: string;
}

/**
 * Compiles a file of Solidity.
 * @param file its path
 * @returns its contracts by name
 * @throws Error with the compiler's words, warnings too
 */
export function compile(file: string): Record<string, Compiled> {
  const name = path.basename(file);
  const input = {
    language: "Solidity",
    sources: { [name]: { content: readFileSync(file, "utf8") } },
    settings: {
      ...SETTINGS,
      outputSelection: { [name]: { "*": ["evm.bytecode.object", "evm.deployedBytecode.object"] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  if (output.errors?.length)
    throw new Error(output.errors.map((error: { formattedMessage: string }) => error.formattedMessage).join("\n"));
  const contracts = Object.entries(output.contracts[name] as Record<string, { evm: Evm }>);
  return Object.fromEntries(
    contracts.map(([contract, { evm }]) => [
      contract,
      { creationCode: `0x${evm.bytecode.object}`, runtimeCode: `0x${evm.deployedBytecode.object}` },
    ]),
  );
}

interface Evm {
  bytecode: { object: string };
  deployedBytecode: { object: string };
}

/** Returns the committed data of the receivers: everything that reproducing the same bytes takes. */
export function compileReceivers() {
  const { ReceiverFactory } = compile(path.join(FOLDER, "Receivers.sol"));
  return { source: "Receivers.sol", compiler: solc.version(), settings: SETTINGS, ...ReceiverFactory };
}

// After a change of the source: node contracts/compile.ts
if (import.meta.main)
  writeFileSync(path.join(FOLDER, "receivers.json"), `${JSON.stringify(compileReceivers(), null, 2)}\n`);
