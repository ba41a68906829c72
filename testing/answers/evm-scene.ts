import type { EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import type { NodeProtocol } from "@/lib/chains/endpoints/rpc";
import type { BlockSource } from "@/lib/chains/endpoints/source";
import { EVM_PROTOCOL } from "@/lib/chains/evm/protocol";
import { createEvmSource } from "@/lib/chains/evm/source";
import { TRON_PROTOCOL } from "@/lib/chains/tron/protocol";
import { getNetwork, getToken, type Network } from "@/lib/domain/networks";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import type { FieldType } from "@/testing/answers/damages";
import type { Fields, Questions, Scene } from "@/testing/answers/scene";
import { type Call, type ScriptedResponse, startScriptedNodes } from "@/testing/answers/scripted-node";
import { startTestChain } from "@/testing/chains/evm";
import { startTronChain } from "@/testing/chains/tron";

const ME = `0x${"ab".repeat(20)}`;
const OTHER = `0x${"cd".repeat(20)}`;
const ADDRESSES = new Set([ME]);

const HEADER: Fields = { "": "object", number: "height", hash: "hash", parentHash: "hash", timestamp: "hexTime" };
/** The topics of a transfer's log. With one topic repeated there are four, as for an NFT, so the response is plausible. */
const TOPICS = { type: "wholeList", falsifications: ["one twice"] } as const;
const OPTIONAL = { missing: "nodes may leave it out" };
const log = (path: string): Fields => ({
  [path]: "object",
  [`${path}.address`]: "address",
  [`${path}.topics`]: TOPICS,
  [`${path}.topics.0`]: "hash",
  [`${path}.topics.1`]: "hash",
  [`${path}.topics.2`]: "hash",
  [`${path}.data`]: "word",
  [`${path}.blockNumber`]: "height",
  [`${path}.blockHash`]: "hash",
  [`${path}.transactionHash`]: "hash",
  [`${path}.logIndex`]: "quantity",
  [`${path}.removed`]: { type: "text", harmless: OPTIONAL },
});
const receipt = (path: string): Fields => ({
  [`${path}transactionHash`]: "hash",
  [`${path}transactionIndex`]: { type: "quantity", harmless: OPTIONAL },
  [`${path}blockHash`]: "hash",
  [`${path}blockNumber`]: "height",
  [`${path}status`]: "status",
  [`${path}logs`]: "list",
  ...log(`${path}logs.0`),
});

const COMMON = {
  eth_getBlockByNumber: HEADER,
  eth_getBlockByHash: HEADER,
  eth_getTransactionReceipt: { "": "object", ...receipt("") },
} satisfies Record<string, Fields>;
/** Marks fields as dispensable: finality may be reported late, and the depth rule does not need these fields. */
const dispensable = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([path, type]) => [
      path,
      { type: type as FieldType, isDispensable: true, falsifications: ["one less"] },
    ]),
  );
const BY_RPC: Readonly<Record<string, Fields>> = {
  ...COMMON,
  eth_chainId: { "": "quantity" },
  "eth_getBlockByNumber finalized": dispensable(HEADER),
  "eth_getLogs of a block": { "": "list", ...log("0") },
  "eth_getLogs of a range": { "": "list", ...log("0") },
  eth_call: { "": "word" },
};
const BY_RECEIPTS: Readonly<Record<string, Fields>> = {
  eth_getBlockReceipts: { "": "wholeList", "0": "object", ...receipt("0.") },
  eth_getBlockByHash: { ...HEADER, transactions: "wholeList", "transactions.0": "hash" },
};

const BLOCK: Fields = {
  "": "object",
  blockID: "bareHash",
  block_header: "object",
  "block_header.raw_data": "object",
  "block_header.raw_data.number": "number",
  "block_header.raw_data.parentHash": "bareHash",
  "block_header.raw_data.timestamp": "milliseconds",
};
const NEVER_READ = "no time is read here";
const BLOCK_WITHOUT_TIME: Fields = {
  ...BLOCK,
  "block_header.raw_data.timestamp": {
    type: "milliseconds",
    harmless: {
      "seconds for milliseconds": NEVER_READ,
      "in the year 54227": NEVER_READ,
      "the day after tomorrow": NEVER_READ,
    },
  },
};
const FIRST: Fields = { "": "object", blockID: "bareHash" };
const INFO_LOG = (path: string): Fields => ({
  [path]: "object",
  [`${path}.address`]: "bareHash",
  [`${path}.topics`]: TOPICS,
  [`${path}.topics.0`]: "bareHash",
  [`${path}.topics.1`]: "bareHash",
  [`${path}.topics.2`]: "bareHash",
  [`${path}.data`]: "bareWord",
});
const BY_HTTP: Readonly<Record<string, Fields>> = {
  "/wallet/getblock the first": FIRST,
  "/wallet/getblock the newest": BLOCK,
  "/wallet/getblock": BLOCK,
  "/walletsolidity/getblock": dispensable(BLOCK),
  "/wallet/getblockbynum": {
    ...BLOCK_WITHOUT_TIME,
    transactions: "wholeList",
    "transactions.0": "object",
    "transactions.0.txID": "bareHash",
  },
  "/wallet/gettransactioninfobyblocknum": {
    "": "wholeList",
    "0": "object",
    "0.id": "bareHash",
    "0.blockNumber": "number",
    "0.receipt": "object",
    "0.receipt.result": "text",
    "0.log": { type: "list", falsifications: ["missing"] },
    ...INFO_LOG("0.log.0"),
  },
  "/wallet/gettransactioninfobyid": { "": "object", blockNumber: "number" },
  "/wallet/triggerconstantcontract": {
    "": "object",
    result: { type: "object", harmless: { "an object": "only a code in it counts" } },
    constant_result: "list",
    "constant_result.0": "bareWord",
  },
};

/** Returns the response of a node for data that it does not have. */
function unknownTo({ method, params }: Call): ScriptedResponse {
  if (method.startsWith("/")) return { result: method.endsWith("byblocknum") ? [] : {} };
  const isRange = method === "eth_getLogs" && !("blockHash" in (params[0] as object));
  if (isRange) return { result: [] };
  if (/^eth_get(Block|TransactionReceipt)/.test(method)) return { result: null };
  return { error: { code: -32000, message: "unknown block" } };
}

function kindOf({ method, params }: Call): string {
  const [first] = params;
  if (method === "eth_getLogs") return `${method} of a ${"blockHash" in (first as object) ? "block" : "range"}`;
  if (first === "finalized") return `${method} finalized`;
  if (method !== "/wallet/getblock") return method;
  const at = (first as { id_or_num?: string }).id_or_num;
  return at === undefined ? `${method} the newest` : at === "0" ? `${method} the first` : method;
}

interface World {
  network: Network;
  protocol: NodeProtocol;
  target: string;
  /** The suffix of the endpoint names of this kind. */
  suffix: string;
  fields: Scene["fields"];
  stop(): Promise<void>;
}

async function sceneOf(world: World, respond?: (call: Call) => ScriptedResponse | undefined) {
  const { network, protocol, target, suffix, fields, stop } = world;
  const nodes = await startScriptedNodes({ target, unknown: unknownTo, ...(respond ? { respond } : {}) });
  const open = (options: EndpointsOptions) => createEvmSource(network, options, protocol);
  const bad = `${nodes.bad}${suffix}`;
  const good = `${nodes.good}${suffix}`;
  const paid = await payment(
    createEvmSource(network, { urls: [`${target}${suffix}`], now: () => new Date() }, protocol),
  );
  const { blockHeight: height, blockHash } = paid;
  const questions = (options: EndpointsOptions): Questions => {
    const source = open(options);
    return {
      "whether the network is right": () => source.problem(),
      "the head": () => source.head(),
      "a block": () => source.block({ height: height - 1, mustVerifyChainId: true }),
      "transfers of a block": () => source.transfers({ blockHash, height }, ADDRESSES),
      ...(respond
        ? {}
        : { "transfers of a range": () => source.transfers({ from: height - 2, to: height + 1 }, ADDRESSES) }),
      "status of a transfer": () => source.checkFinality(paid),
    };
  };
  return {
    nodes,
    bad,
    good,
    questions,
    absent: [],
    kindOf,
    fields,
    stop: async () => {
      await nodes.stop();
      await stop();
    },
  } satisfies Scene;
}

async function payment(source: BlockSource): Promise<ChainTransfer> {
  const [paid] = await source.transfers({ from: 1, to: 20 }, ADDRESSES);
  if (!paid) throw new Error("no transfer was found");
  return paid;
}

async function payOn(chain: { mine(blocks?: number): Promise<void> }, pay: () => Promise<unknown>): Promise<void> {
  await chain.mine(8);
  await pay();
  await chain.mine(14);
}

async function evmWorld(id: string, fields: Scene["fields"]): Promise<World> {
  const network = getNetwork(id);
  const chain = await startTestChain(network);
  const { contract } = getToken(network, "USDT");
  await payOn(chain, async () => {
    await chain.pay(contract, ME, 5n);
    await chain.pay(contract, OTHER, 6n);
  });
  return { network, protocol: EVM_PROTOCOL, target: chain.node.url, suffix: "", fields, stop: chain.stop };
}

async function tronWorld(suffix: string, fields: Scene["fields"]): Promise<World> {
  const chain = await startTronChain();
  await payOn(chain, async () => {
    await chain.pay(ME, 5n);
    await chain.pay(OTHER, 6n);
  });
  const network = getNetwork("tron");
  return { network, protocol: TRON_PROTOCOL, target: chain.node.url, suffix, fields, stop: chain.stop };
}

/** Returns the scenario for Ethereum, whose nodes filter logs. */
export const evmByLogs = async () => sceneOf(await evmWorld("ethereum", BY_RPC));

/** Returns the scenario for BNB Smart Chain, with nodes that serve no logs. */
export const evmByReceipts = async () =>
  sceneOf(await evmWorld("bsc", BY_RECEIPTS), ({ method }) =>
    method === "eth_getLogs" ? { error: { code: -32601, message: "the method is not supported" } } : undefined,
  );

export const tronByRpc = async () => sceneOf(await tronWorld("/jsonrpc", BY_RPC));

export const tronByHttp = async () => sceneOf(await tronWorld("", BY_HTTP));
