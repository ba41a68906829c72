import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import solc from "solc";

const FOLDER = import.meta.dirname;
export const SETTINGS = {
  // The oldest EVM version among all networks, so that the bytecode, and therefore the address, is the same on all of them.
  evmVersion: "paris",
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { appendCBOR: false, bytecodeHash: "none" },
};

interface Compiled {
  /** The code that a deployment sends, as 0x hex. */
  creationCode: string;
  /** The on-chain code as 0x hex, with immutables still zero. */
  runtimeCode: string;
}

/**
 * Compiles a Solidity file.
 * @param file its path
 * @returns its contracts by name
 * @throws Error with the compiler's messages, including warnings
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

/** Returns the committed data of the receivers: everything that is needed to reproduce the same bytes. */
export function compileReceivers() {
  const { ReceiverFactory } = compile(path.join(FOLDER, "Receivers.sol"));
  return { source: "Receivers.sol", compiler: solc.version(), settings: SETTINGS, ...ReceiverFactory };
}

// Run `node contracts/compile.ts` after a change to the source.
if (import.meta.main)
  writeFileSync(path.join(FOLDER, "receivers.json"), `${JSON.stringify(compileReceivers(), null, 2)}\n`);
