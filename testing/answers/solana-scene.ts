import type { EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import { createSolanaSource } from "@/lib/chains/solana/source";
import { getNetwork } from "@/lib/domain/networks";
import type { Fields, Questions, Scene } from "@/testing/answers/scene";
import { type Call, type ScriptedResponse, startScriptedNodes } from "@/testing/answers/scripted-node";
import { accountOf, ownerNamed, startTestSolana } from "@/testing/chains/solana";

/**
 * The number of payments, more than one page of a history, and a number of slots that exceeds the history that nodes are guaranteed to
 * keep.
 */
const PAYMENTS = 24;
const LONG_AGO_SLOTS = 3_400;
const shop = ownerNamed("shop").publicKey;
const network = getNetwork("solana");

const BALANCE = (path: string): Fields => ({
  [path]: "list",
  [`${path}.0`]: "object",
  [`${path}.0.accountIndex`]: "index",
  [`${path}.0.mint`]: "key",
  [`${path}.0.owner`]: { type: "key", harmless: OLD_DATA },
  [`${path}.0.uiTokenAmount`]: "object",
  [`${path}.0.uiTokenAmount.amount`]: "amount",
});
const OLD_DATA = { missing: "old data names no owners", null: "old data names no owners" };
/** The error of a failed transaction. The names of errors are not a closed list, so an unknown name is plausible. */
const FAILURE = {
  type: "text",
  falsifications: ["an object", "a word", "an endless text"],
  harmless: { null: "as it is" },
} as const;
/** A slot. A value that is one lower is plausible: a node may lag by one slot, skip one, or return the previous one. */
const SLOT = { type: "slot", falsifications: ["one less"] } as const;
const META = (path: string): Fields => ({
  [path]: "object",
  [`${path}.err`]: FAILURE,
  ...BALANCE(`${path}.preTokenBalances`),
  ...BALANCE(`${path}.postTokenBalances`),
});
const HEADER: Fields = {
  "": "object",
  blockhash: "key",
  previousBlockhash: "key",
  parentSlot: SLOT,
  blockTime: "seconds",
};
const TRANSACTION = (path: string): Fields => ({
  [`${path}transaction`]: "object",
  [`${path}transaction.signatures`]: "list",
  [`${path}transaction.signatures.0`]: "signature",
});
const GET_TRANSACTION: Fields = {
  "": "object",
  slot: SLOT,
  ...META("meta"),
  ...TRANSACTION(""),
  "transaction.message": "object",
  "transaction.message.accountKeys": "wholeList",
  "transaction.message.accountKeys.0": "key",
};
const BY_HISTORIES: Readonly<Record<string, Fields>> = {
  getGenesisHash: { "": "key" },
  getSlot: { "": SLOT },
  "getSlot finalized": { "": SLOT },
  getTokenSupply: { "": "object", value: "object", "value.decimals": "index" },
  getTokenAccountsByOwner: { "": "object", value: "list", "value.0": "object", "value.0.pubkey": "key" },
  getSignaturesForAddress: {
    "": "list",
    "0": "object",
    "0.signature": "signature",
    "0.slot": SLOT,
    "0.err": FAILURE,
  },
  getSignatureStatuses: {
    "": "object",
    value: "wholeList",
    "value.0": { type: "object", harmless: { "an object": "it is known, whatever became of it" } },
  },
  getFirstAvailableBlock: { "": "slot" },
  getTransaction: GET_TRANSACTION,
  "getTransaction finalized": GET_TRANSACTION,
  "getBlock none": HEADER,
  "getBlock signatures": { "": "object", signatures: "list", "signatures.0": "signature" },
  getBlocks: { "": "list", "0": SLOT },
};
const BY_BLOCKS: Readonly<Record<string, Fields>> = {
  "getBlock accounts": {
    ...HEADER,
    transactions: "list",
    "transactions.0": "object",
    ...META("transactions.0.meta"),
    ...TRANSACTION("transactions.0."),
    "transactions.0.transaction.accountKeys": "wholeList",
    "transactions.0.transaction.accountKeys.0": "object",
    "transactions.0.transaction.accountKeys.0.pubkey": "key",
  },
};

function kindOf({ method, params }: Call): string {
  const config = (params[1] ?? params[0]) as { transactionDetails?: string; commitment?: string } | undefined;
  if (method === "getBlock") return `${method} ${config?.transactionDetails}`;
  const isFinal = config?.commitment === "finalized" && (method === "getSlot" || method === "getTransaction");
  return isFinal ? `${method} finalized` : method;
}

function unknownTo({ method }: Call): ScriptedResponse {
  if (method === "getTransaction") return { result: null };
  if (method === "getBlocks" || method === "getSignaturesForAddress") return { result: [] };
  return { error: { code: -32004, message: "Block not available for slot" } };
}

async function sceneOf(name: string, fields: Scene["fields"]): Promise<Scene> {
  const chain = await startTestSolana();
  await chain.advance(40);
  const payments: string[] = [];
  for (let count = 0; count < PAYMENTS; count++) {
    payments.push(await chain.pay([{ to: shop, currency: "USDC", baseUnits: BigInt(count + 1) }]));
    await chain.advance(1);
  }
  await chain.node.call("solana_skip", [2]);
  await chain.advance(LONG_AGO_SLOTS);
  const nodes = await startScriptedNodes({ target: chain.node.url, unknown: unknownTo });
  const open = (options: EndpointsOptions) => createSolanaSource(network, options);
  const owners = new Set([shop.toBase58()]);
  const account = accountOf(shop, "USDC").toBase58();
  const first = open({ urls: [nodes.good], now: () => new Date() });
  const head = await first.head();
  const [signature = ""] = payments;
  const [paid] = await first.transfers(signature, owners);
  if (!paid) throw new Error(`${name}: no transfer was found`);
  const skipped = paid.blockHeight + PAYMENTS + 1;
  const strange = { ...paid, txId: "5".repeat(87) };
  const questions = (options: EndpointsOptions): Questions => {
    const source = open(options);
    return {
      "whether the network is right": () => source.problem(),
      "the head": () => source.head(),
      "accounts of an owner": () => source.accountsOf(shop.toBase58()),
      "a history": () => source.history(account, { after: 0, head: head.height, blockMs: network.blockMs }),
      "transfers of a transaction": () => source.transfers(signature, owners),
      "a block": () => source.block(paid.blockHeight),
      "transfers of a block": () => source.slot(paid.blockHeight, owners),
      "transfers of a final block": () =>
        source.slotAgain(paid.blockHeight, owners, { mustExist: true, byAnyone: true }),
      "status of a transfer": () => source.checkFinality(paid),
      "what became of one that is not there": () => source.checkFinality(strange),
      "what became of one in a skipped slot": () => source.checkFinality({ ...strange, blockHeight: skipped }),
    };
  };
  const stop = async () => {
    await nodes.stop();
    await chain.stop();
  };
  const absent = ["what became of one that is not there", "what became of one in a skipped slot"];
  return { absent, nodes, bad: nodes.bad, good: nodes.good, questions, kindOf, fields, stop };
}

export const solanaByHistories = () => sceneOf("Solana by histories", BY_HISTORIES);
export const solanaByBlocks = () => sceneOf("Solana by blocks", BY_BLOCKS);
