import { type Hex, isHex, pad, parseAbi, stringToHex, toHex } from "viem";
import { z } from "zod";
import type { Network } from "@/lib/domain/networks";
import compiled from "@/sandbox/token/test-token.json" with { type: "json" };
import { balanceEntry, PLENTY } from "@/sandbox/wallets/payers";

/** What the sandbox and its tests call on a TestToken. */
export const TEST_TOKEN_ABI = parseAbi([
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
  "function balanceOf(address owner) view returns (uint256)",
  "function mint(address to, uint256 value)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function batch(address[] to, uint256[] values)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
]);

/** A token that calls itself USDT and behaves like it, at an address that is not USDT's. */
export const FAKE_TOKEN = "0xfa4e0000000000000000000000000000000fa4e0";

const Accounts = z.array(z.custom<Hex>((value) => isHex(value)));

type Call = (method: string, params: readonly unknown[]) => Promise<unknown>;

interface TokenIdentity {
  contract: string;
  name: string;
  symbol: string;
  decimals: number;
}

/** Puts a TestToken at an address of a local chain. Safe to repeat: only the payers' balances change. `call` is a JSON-RPC call that takes anvil_*. */
export async function installToken(call: Call, token: TokenIdentity): Promise<void> {
  await call("anvil_setCode", [token.contract, compiled.runtimeCode]);
  const slots = [shortString(token.name), shortString(token.symbol), pad(toHex(token.decimals))];
  for (const [slot, value] of slots.entries()) {
    await call("anvil_setStorageAt", [token.contract, pad(toHex(slot)), value]);
  }
  await fundPayers(call, token.contract);
}

/**
 * Puts every token and look-alike of a network at its real contract address with its real decimals, and a fake USDT beside them; the
 * payers have plenty of each from the first block on, so that a reorg never takes their money back.
 */
export async function installTokens(call: Call, network: Pick<Network, "tokens" | "lookAlikes">): Promise<void> {
  for (const { currency, contract, decimals } of network.tokens) {
    await installToken(call, { contract, decimals, name: `${currency} (sandbox)`, symbol: currency });
  }
  for (const { name, symbol, contract, decimals } of network.lookAlikes) {
    await installToken(call, { contract, decimals, name: `${name} (sandbox)`, symbol });
  }
  const decimals = network.tokens[0]?.decimals ?? 6;
  await installToken(call, { contract: FAKE_TOKEN, name: "Tether USD", symbol: "USDT", decimals });
}

async function fundPayers(call: Call, contract: string): Promise<void> {
  const payers = Accounts.parse(await call("eth_accounts", []));
  const entries = payers.map((address) => balanceEntry(address, PLENTY));
  await Promise.all(entries.map(({ slot, value }) => call("anvil_setStorageAt", [contract, slot, value])));
}

/** Solidity keeps a string of up to 31 bytes in one slot: its bytes first, twice its length in the last byte. */
function shortString(text: string): string {
  const length = Buffer.byteLength(text);
  if (length > 31) throw new Error(`"${text}" is longer than the 31 bytes that fit into one slot`);
  return stringToHex(text, { size: 32 }).slice(0, 64) + (length * 2).toString(16).padStart(2, "0");
}
