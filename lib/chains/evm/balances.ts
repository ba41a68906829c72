import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem/utils";
import { type AskedEndpoint, askHolders, readEach } from "@/lib/chains/endpoints/balances";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import type { NodeProtocol } from "@/lib/chains/endpoints/rpc";
import { ChainError } from "@/lib/chains/endpoints/source";
import { CallResult, quantity } from "@/lib/chains/evm/logs";
import { COIN } from "@/lib/domain/networks";
import type { Balance, BalanceAnswer, Holder } from "@/lib/domain/transfers/balance";

type Hex = `0x${string}`;

/** The selector of `balanceOf(address)`. */
const BALANCE_OF = "0x70a08231";
/** The error code of nodes that no longer have the block or its state, or do not have it yet. */
const SERVER_ERROR = -32000;
/** The address of Multicall3, the same on every EVM network that has it. Source: multicall3.com. */
const MULTICALL: Hex = "0xca11bde05977b3631167028862be2a173976ca11";
const MULTICALL_ABI = parseAbi([
  "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) view returns ((bool success, bytes returnData)[])",
  "function getEthBalance(address addr) view returns (uint256)",
]);

const balanceOf = (owner: string): Hex => `${BALANCE_OF}${owner.slice(2).padStart(64, "0")}` as Hex;

/** The names of endpoints whose chain has no Multicall3 contract. */
export type WithoutMulticall = Set<string>;

/**
 * Reads the balances of addresses after a block, in tokens or the network's native coin. Where Multicall3 exists, it sends one call for
 * all addresses, otherwise one call per address with limited concurrency. Where nodes return only the newest state (TRON), the height is
 * that of the node's head just before the read, so transfers that arrive in between are counted one block too early.
 */
export async function readEvmBalances(
  { hasPastState }: Pick<NodeProtocol, "hasPastState">,
  endpoints: Endpoints,
  { holders, height, without }: { holders: readonly Holder[]; height: number; without: WithoutMulticall },
): Promise<BalanceAnswer[]> {
  return askHolders(endpoints, holders, async (asked) => {
    const { name } = asked.endpoint;
    if (hasPastState && holders.length > 1 && !without.has(name)) {
      const shown = await readTogether(asked, holders, height);
      if (typeof shown === "object")
        return readMissing(asked, holders, shown, (holder) => readOne(hasPastState, asked, holder, height));
      if (shown === "missing") without.add(name);
    }
    return readEach(asked, holders, (holder) => readOne(hasPastState, asked, holder, height));
  });
}

/** Reads failed balances separately: a token that burns all gas leaves none for the calls after it. */
async function readMissing(
  asked: AskedEndpoint,
  holders: readonly Holder[],
  shown: readonly (Balance | null)[],
  readSingle: (holder: Holder) => Promise<Balance | null>,
): Promise<(Balance | null)[]> {
  const missing = holders.filter((_, at) => shown[at] === null);
  if (missing.length === 0) return [...shown];
  const single = await readEach(asked, missing, readSingle).catch((error: unknown) => {
    if (error instanceof ChainError) return [];
    throw error;
  });
  const read = new Map(single.map((one, at) => [missing[at], one]));
  return holders.map((holder, at) => shown[at] ?? read.get(holder) ?? null);
}

/**
 * Reads all balances in one call. `missing`: the endpoint's chain has no Multicall3 contract; `failed`: the call failed, for example
 * because one of the tokens burns all gas.
 */
async function readTogether(
  { ask }: AskedEndpoint,
  holders: readonly Holder[],
  height: number,
): Promise<(Balance | null)[] | "missing" | "failed"> {
  const calls = holders.map(({ owner, token }) => ({
    target: token === COIN ? MULTICALL : (token as Hex),
    allowFailure: true,
    callData:
      token === COIN
        ? encodeFunctionData({ abi: MULTICALL_ABI, functionName: "getEthBalance", args: [owner as Hex] })
        : balanceOf(owner),
  }));
  const data = encodeFunctionData({ abi: MULTICALL_ABI, functionName: "aggregate3", args: [calls] });
  const text = await ask({
    method: "eth_call",
    params: [{ to: MULTICALL, data }, quantity(height)],
    parse: (result) => CallResult.parse(result) as Hex,
    parseError: () => "failed" as const,
  });
  if (text === "failed") return text;
  if (text === "0x") return "missing";
  const answers = decode(text);
  if (answers.length !== holders.length)
    throw new ChainError("inconsistent", "aggregate3(): the number of results differs from the number of calls");
  return answers.map(({ success, returnData }) =>
    success && returnData.length === 66 ? { baseUnits: BigInt(returnData), height } : null,
  );
}

function decode(data: Hex) {
  try {
    return decodeFunctionResult({ abi: MULTICALL_ABI, functionName: "aggregate3", data });
  } catch (cause) {
    throw new ChainError("inconsistent", "aggregate3(): the response cannot be read", { cause });
  }
}

async function readOne(
  hasPastState: boolean,
  { ask }: AskedEndpoint,
  { owner, token }: Holder,
  height: number,
): Promise<Balance | null> {
  let newest: number | null = null;
  const at = hasPastState ? quantity(height) : "latest";
  const isCoin = token === COIN;
  return ask<Balance | null>({
    method: isCoin ? "eth_getBalance" : "eth_call",
    params: [isCoin ? owner : { to: token, data: balanceOf(owner) }, at],
    before: async (call) => {
      if (!hasPastState) newest = Number(CallResult.parse(await call({ method: "eth_blockNumber", params: [] })));
    },
    parse: (result) => {
      const text = CallResult.parse(result);
      if (text === "0x") return null;
      if (!isCoin && text.length !== 66)
        throw new ChainError("inconsistent", "balanceOf(): the response is not a number");
      return { baseUnits: BigInt(text), height: newest ?? height };
    },
    parseError: (code) => (code === SERVER_ERROR ? null : undefined),
  });
}

/**
 * Returns the current gas price per unit of gas, in wei: the median of the endpoints' prices.
 * @throws ChainError when no endpoint responds
 */
export async function readGasPrice(endpoints: Endpoints): Promise<bigint> {
  const returned = await endpoints.askAll({
    method: "eth_gasPrice",
    params: [],
    parse: (result) => BigInt(CallResult.parse(result)),
  });
  const sorted = returned.toSorted((one, other) => (one < other ? -1 : 1));
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new ChainError("unavailable", "eth_gasPrice: no endpoint responded");
  return middle;
}
