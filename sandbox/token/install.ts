import { type Hex, isHex, pad, parseAbi, stringToHex, toHex } from "viem";
import * as z from "zod";
import type { Network } from "@/lib/domain/networks";
import type { CallAll, RpcCall } from "@/sandbox/nodes/json-rpc";
import compiled from "@/sandbox/token/test-token.json" with { type: "json" };
import { balanceEntry, PLENTY } from "@/sandbox/wallets/payers";

/** The functions of a TestToken that the sandbox and its tests call. */
export const TEST_TOKEN_ABI = parseAbi([
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
  "function balanceOf(address owner) view returns (uint256)",
  "function mint(address to, uint256 value)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function setBlackListed(address account, bool isListed)",
  "function batch(address[] to, uint256[] values)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
]);

/** A token with the symbol USDT that behaves like USDT, at an address that is not USDT's. */
export const FAKE_TOKEN = "0xfa4e0000000000000000000000000000000fa4e0";

const Accounts = z.array(z.custom<Hex>((value) => isHex(value)));

interface Node {
  call: (method: string) => Promise<unknown>;
  callAll: CallAll;
}

interface TokenIdentity {
  contract: string;
  name: string;
  symbol: string;
  decimals: number;
}

/**
 * Installs every token and look-alike of a network at its real contract address with its real decimals, and a fake USDT in addition. The
 * payers have large balances of each from the first block on, so that a reorg never removes them. Safe to repeat: only the payers'
 * balances change. The node must support anvil_*.
 */
export async function installTokens(node: Node, network: Pick<Network, "tokens" | "lookAlikes">): Promise<void> {
  const payers = Accounts.parse(await node.call("eth_accounts"));
  const decimals = network.tokens[0]?.decimals ?? 6;
  const tokens = [
    ...network.tokens.map(({ currency, ...token }) => ({ ...token, name: `${currency} (sandbox)`, symbol: currency })),
    ...network.lookAlikes.map((lookAlike) => ({ ...lookAlike, name: `${lookAlike.name} (sandbox)` })),
    { contract: FAKE_TOKEN, name: "Tether USD", symbol: "USDT", decimals },
  ];
  await node.callAll(tokens.flatMap((token) => installing(token, payers)));
}

function installing({ contract, name, symbol, decimals }: TokenIdentity, payers: readonly Hex[]): RpcCall[] {
  const slots = [shortString(name), shortString(symbol), pad(toHex(decimals))];
  const entries = [
    ...slots.map((value, slot) => ({ slot: pad(toHex(slot)), value })),
    ...payers.map((address) => balanceEntry(address, PLENTY)),
  ];
  return [
    ["anvil_setCode", [contract, compiled.runtimeCode]],
    ...entries.map(({ slot, value }): RpcCall => ["anvil_setStorageAt", [contract, slot, value]]),
  ];
}

/**
 * Returns a string of up to 31 bytes as Solidity stores it in one slot: the string's bytes first, and twice its length in the last byte.
 */
function shortString(text: string): string {
  const length = Buffer.byteLength(text);
  if (length > 31) throw new Error(`"${text}" must have at most 31 bytes to fit into one slot`);
  return stringToHex(text, { size: 32 }).slice(0, 64) + (length * 2).toString(16).padStart(2, "0");
}
