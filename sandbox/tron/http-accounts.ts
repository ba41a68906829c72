import * as z from "zod";
import type { EvmChain } from "@/sandbox/tron/evm-chain";
import type { HttpMethod } from "@/sandbox/tron/http-blocks";
import { SUN_PER_ENERGY, toEvmAddress, toTronHex, WEI_PER_SUN } from "@/sandbox/tron/network";

const FREE_BANDWIDTH = 600;
const Owner = z.object({ address: z.string() });

/** The ABI entries of the token contract that wallets request by name. */
const TOKEN_ABI = [
  entry("name", [], ["string"], "View"),
  entry("symbol", [], ["string"], "View"),
  entry("decimals", [], ["uint8"], "View"),
  entry("totalSupply", [], ["uint256"], "View"),
  entry("balanceOf", ["address"], ["uint256"], "View"),
  entry("transfer", ["address", "uint256"], ["bool"], "Nonpayable"),
];

/** Returns the methods for accounts, contracts and the network's prices. */
export function accountMethods(chain: EvmChain): [string, HttpMethod][] {
  const limits = { freeNetLimit: FREE_BANDWIDTH, TotalNetLimit: 43_200_000_000, TotalEnergyLimit: 180_000_000_000 };
  const parameters = [
    { key: "getTransactionFee", value: 1_000 },
    { key: "getEnergyFee", value: Number(SUN_PER_ENERGY) },
    { key: "getMaxFeeLimit", value: 15_000_000_000 },
  ];
  return [
    ["getaccount", async (fields) => account(chain, Owner.parse(fields).address)],
    ["getaccountresource", async () => limits],
    ["getaccountnet", async () => limits],
    ["getcontract", async ({ value }) => contract(chain, z.string().parse(value))],
    ["getchainparameters", async () => ({ chainParameter: parameters })],
    ["getenergyprices", async () => ({ prices: `0:${SUN_PER_ENERGY}` })],
    ["getbandwidthprices", async () => ({ prices: "0:1000" })],
    ["getnodeinfo", async () => ({ configNodeInfo: { codeVersion: "4.8.0" }, block: `Num:${await chain.head()}` })],
    ["validateaddress", async (fields) => validate(Owner.parse(fields).address)],
  ];
}

/** Returns an account; `{}` if it never had TRX and never sent a transaction. */
async function account(chain: EvmChain, address: string) {
  const evm = toEvmAddress(address);
  const wei = await chain.balance(evm);
  const sent = Number(await chain.node.call("eth_getTransactionCount", [evm, "latest"]));
  if (wei === 0n && sent === 0) return {};
  return { address: toTronHex(evm), balance: Number(wei / WEI_PER_SUN), account_resource: {} };
}

async function contract(chain: EvmChain, address: string) {
  const evm = toEvmAddress(address);
  const code = String(await chain.node.call("eth_getCode", [evm, "latest"]));
  if (code === "0x") return {};
  return { contract_address: toTronHex(evm), bytecode: code.slice(2), abi: { entrys: TOKEN_ABI } };
}

function validate(address: string) {
  try {
    toEvmAddress(address);
    return { result: true, message: address.startsWith("T") ? "Base58check format" : "Hex string format" };
  } catch {
    return { result: false, message: "Invalid address" };
  }
}

function entry(name: string, inputs: string[], outputs: string[], stateMutability: string) {
  const named = inputs.map((type, index) => ({ name: `_${index}`, type }));
  return { name, type: "Function", stateMutability, inputs: named, outputs: outputs.map((type) => ({ type })) };
}
