import { concatHex, encodeFunctionData, getContractAddress, keccak256, parseAbi } from "viem/utils";
import compiled from "@/contracts/receivers.json" with { type: "json" };

type Hex = `0x${string}`;

/**
 * The deterministic deployment proxy, at the same address on every EVM network where it was deployed. Its calldata is 32 bytes of salt,
 * followed by the creation code. Source: github.com/Arachnid/deterministic-deployment-proxy.
 */
export const DEPLOYMENT_PROXY = "0x4e59b44847b379578588920ca78fbf26c0b4956c";
const NO_SALT: Hex = `0x${"00".repeat(32)}`;

/** The calldata with which the proxy deploys the factory. A repeated call fails and changes nothing. */
export const FACTORY_DEPLOYMENT = concatHex([NO_SALT, compiled.creationCode as Hex]);

/** The address of the factory of receivers on every EVM network, in lower case. */
export const RECEIVER_FACTORY = lower(
  getContractAddress({
    opcode: "CREATE2",
    from: DEPLOYMENT_PROXY,
    salt: NO_SALT,
    bytecode: compiled.creationCode as Hex,
  }),
);

/** The contract that the factory deploys with its first (and only) CREATE; every receiver runs its code. */
const IMPLEMENTATION = lower(getContractAddress({ opcode: "CREATE", from: RECEIVER_FACTORY, nonce: 1n }));

const FACTORY_ABI = parseAbi(["function deployAndSweep(address treasury, bytes32[] salts, address[] tokens)"]);

/** Returns the code of every deployed receiver of a treasury: EIP-1167's minimal clone, followed by the treasury. */
export function receiverCode(treasury: string): Hex {
  return concatHex(["0x363d3d373d3d3d363d73", IMPLEMENTATION, "0x5af43d82803e903d91602b57fd5bf3", treasury as Hex]);
}

/**
 * Returns the address of a receiver, whether or not it is deployed. Funds sent to this address can go only to its treasury.
 * @param treasury the merchant's treasury, 0x and 40 hex digits
 * @param index the receiver's index, from 0
 * @returns the receiver's address, lower case, the same on every EVM network
 */
export function receiverAddress(treasury: string, index: number): Hex {
  // 10 bytes of init code that return the 65 bytes after them as the code.
  const bytecode = concatHex(["0x6100413d81600a3d39f3", receiverCode(treasury)]);
  const salt = receiverSalt(index);
  return lower(
    getContractAddress({ opcode: "CREATE2", from: RECEIVER_FACTORY, salt, bytecodeHash: keccak256(bytecode) }),
  );
}

/** Returns the salt of a treasury's receiver: its index as 32 bytes. */
export function receiverSalt(index: number): Hex {
  return `0x${index.toString(16).padStart(64, "0")}`;
}

/**
 * Returns the calldata with which the factory deploys receivers that are not deployed yet, and sweeps all of them.
 * @param tokens contracts; address 0 for the network's native coin
 */
export function sweepCalldata(treasury: string, indexes: readonly number[], tokens: readonly string[]): Hex {
  return encodeFunctionData({
    abi: FACTORY_ABI,
    functionName: "deployAndSweep",
    args: [treasury as Hex, indexes.map(receiverSalt), tokens as readonly Hex[]],
  });
}

function lower(address: Hex): Hex {
  return address.toLowerCase() as Hex;
}
