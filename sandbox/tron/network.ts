import { utils } from "tronweb";
import { getNetwork } from "@/lib/domain/networks";
import type { LocalChain } from "@/sandbox/nodes/evm-node";

export const USDT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

/** TRON as its underlying EVM node represents it: addresses are 0x and 20 bytes. */
export const TRON_CHAIN: LocalChain = {
  id: "tron",
  chainId: "728126428",
  tokens: [{ currency: "USDT", contract: toEvmAddress(USDT), decimals: 6 }],
  lookAlikes: getNetwork("tron").lookAlikes.map((one) => ({ ...one, contract: toEvmAddress(one.contract) })),
};

/** The number of wei in one sun, the base unit of TRX. The EVM node uses 18 decimals; TRX has six. */
export const WEI_PER_SUN = 10n ** 12n;

/** The price of one unit of energy, which corresponds to one gas of the EVM node. */
export const SUN_PER_ENERGY = 100n;

/**
 * Returns a TRON address as 0x and 20 bytes. Accepts all its formats: base58check, 41 + 20 bytes, 20 bytes. @throws Error for anything
 * else.
 */
export function toEvmAddress(address: string): string {
  const hex = /^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address) ? base58ToHex(address) : address.replace(/^0x/, "");
  const bytes = /^(?:41)?([0-9a-fA-F]{40})$/.exec(hex)?.[1];
  if (!bytes) throw new Error(`"${address}" is not a TRON address`);
  return `0x${bytes.toLowerCase()}`;
}

/** Returns an address as 41 and 20 bytes, the format of TRON's HTTP interface. */
export function toTronHex(evmAddress: string): string {
  return `41${evmAddress.replace(/^0x/, "").toLowerCase()}`;
}

/** Returns an address in base58check, the format that users see. */
export function toBase58Address(address: string): string {
  return utils.address.fromHex(toTronHex(toEvmAddress(address)));
}

function base58ToHex(address: string): string {
  return utils.address.toHex(address);
}

/** Returns a block's id: its height in the first 8 bytes, followed by the end of its hash. The first block's id ends with the chain id. */
export function blockId(height: number, evmHash: string): string {
  const id = height.toString(16).padStart(16, "0") + evmHash.replace(/^0x/, "").slice(16);
  return height > 0 ? id : id.slice(0, -8) + BigInt(TRON_CHAIN.chainId).toString(16).padStart(8, "0");
}

/** Returns the height encoded at the start of a block's id. */
export function heightOf(id: string): number {
  return Number.parseInt(id.replace(/^0x/, "").slice(0, 16), 16);
}

/** Encodes a string in the format of the HTTP API: UTF-8 as hex. */
export function hexText(text: string): string {
  return Buffer.from(text, "utf8").toString("hex");
}
