import type { RpcMethod } from "@/sandbox/nodes/json-rpc-answer";
import type { Position } from "@/sandbox/solana/blocks";
import type { Chain } from "@/sandbox/solana/chain";
import { checkDeclared, type Manners } from "@/sandbox/solana/rpc/age";
import { solanaError } from "@/sandbox/solana/rpc/answer-error";
import {
  type Config,
  configAt,
  contextSlot,
  historyCommitmentOf,
  inContext,
  Key,
  Signature,
  Slot,
} from "@/sandbox/solana/rpc/params";
import { renderAccounts, renderTransaction, statusOf } from "@/sandbox/solana/rpc/render";

const MAX_BLOCKS = 500_000;
const MAX_SIGNATURES = 256;

/** Returns the methods for blocks, transactions and signatures. */
export function historyMethods(chain: Chain, manners: Manners): [string, RpcMethod][] {
  return [
    ["getBlock", ([slot, config]) => block(chain, manners, Slot.parse(slot), configAt([config], 0))],
    ["getBlocks", (params) => blockList(chain, params)],
    [
      "getBlocksWithLimit",
      ([start, limit, config]) => blockList(chain, [start, null, config]).slice(0, Slot.parse(limit)),
    ],
    ["getBlockTime", ([slot]) => blockTime(chain, Slot.parse(slot))],
    [
      "getTransaction",
      ([signature, config]) => transaction(chain, manners, Signature.parse(signature), configAt([config], 0)),
    ],
    ["getSignaturesForAddress", ([key, config]) => signatures(chain, manners, Key.parse(key), configAt([config], 0))],
    ["getSignatureStatuses", ([list]) => statuses(chain, Signature.array().max(MAX_SIGNATURES).parse(list))],
  ];
}

function block(chain: Chain, manners: Manners, slot: number, config: Config) {
  checkDeclared(manners, config);
  const head = chain.slot(historyCommitmentOf(config));
  if (slot > head) throw solanaError.notYet(slot);
  const { blocks } = chain;
  if (blocks.isSkipped(slot)) throw skipped(chain, slot);
  return {
    blockHeight: blocks.height(slot),
    blockTime: chain.unixTime(slot),
    blockhash: blocks.hash(slot),
    parentSlot: blocks.parent(slot),
    previousBlockhash: blocks.previousHash(slot),
    ...(config.rewards === false ? {} : { rewards: [] }),
    ...content(chain, manners, slot, config),
  };
}

/**
 * Returns the content of a block. If transactions are requested and one of them has a version that the caller does not support, the whole
 * block is refused.
 */
function content(chain: Chain, manners: Manners, slot: number, config: Config) {
  const details = config.transactionDetails ?? "full";
  if (details === "none") return {};
  const transactions = chain.content(slot);
  if (details === "signatures") return { signatures: transactions.map((one) => one.signature) };
  const render = details === "accounts" ? renderAccounts : renderTransaction;
  return { transactions: transactions.map((one) => render(one, config, manners)) };
}

/** Returns the error for a skipped slot. For final slots, nodes query their long-term storage, so the message differs. */
function skipped(chain: Chain, slot: number) {
  return slot <= chain.slot("finalized") ? solanaError.skippedLongAgo(slot) : solanaError.skipped(slot);
}

function blockList(chain: Chain, params: readonly unknown[]): number[] {
  const start = Slot.parse(params[0]);
  const config = configAt(params, typeof params[1] === "object" && params[1] !== null ? 1 : 2);
  const head = chain.slot(historyCommitmentOf(config));
  const end = typeof params[1] === "number" ? Math.min(params[1], head) : head;
  if (end - start > MAX_BLOCKS) throw solanaError.invalidParam(`Slot range too large; max ${MAX_BLOCKS}`);
  const slots: number[] = [];
  for (let slot = start; slot <= end; slot += 1) if (!chain.blocks.isSkipped(slot)) slots.push(slot);
  return slots;
}

function blockTime(chain: Chain, slot: number) {
  if (slot > chain.slot("confirmed")) throw solanaError.notYet(slot);
  if (chain.blocks.isSkipped(slot)) throw skipped(chain, slot);
  return chain.unixTime(slot);
}

function transaction(chain: Chain, manners: Manners, signature: string, config: Config) {
  checkDeclared(manners, config);
  const head = chain.slot(historyCommitmentOf(config));
  const positionOf = chain.positionOf(signature);
  if (!positionOf || positionOf.slot > head) return null;
  const { slot } = positionOf;
  return { slot, blockTime: chain.unixTime(slot), ...renderTransaction(positionOf.transaction, config, manners) };
}

/** Returns signatures, newest first, strictly between `before` and `until`. */
function signatures(chain: Chain, manners: Manners, key: string, config: Config) {
  const commitment = historyCommitmentOf(config);
  contextSlot(chain, config);
  const head = chain.slot(commitment);
  const newer = config.before ? chain.positionOf(config.before) : null;
  const older = config.until ? chain.positionOf(config.until) : null;
  // Earlier versions silently ignored an unknown end. Since anza-xyz/agave#7937, it is an error.
  if (manners.age.unknownFilter === "refused") {
    if (config.before && !newer) throw solanaError.unknownFilter(config.before);
    if (config.until && !older) throw solanaError.unknownFilter(config.until);
  }
  if (config.before && !newer) return [];
  const found: Position[] = [];
  for (const positionOf of chain.blocks.positionsOf(key).toReversed()) {
    if (positionOf.slot > head || (newer && !isBefore(positionOf, newer))) continue;
    if (older && !isBefore(older, positionOf)) break;
    if (found.push(positionOf) === (config.limit ?? 1_000)) break;
  }
  return found.map((positionOf) => ({
    signature: positionOf.transaction.signature,
    slot: positionOf.slot,
    err: positionOf.transaction.meta.err,
    memo: null,
    blockTime: chain.unixTime(positionOf.slot),
    confirmationStatus: confirmationOf(chain, positionOf.slot),
  }));
}

function isBefore(one: Position, other: Position): boolean {
  return one.slot < other.slot || (one.slot === other.slot && one.index < other.index);
}

function confirmationOf(chain: Chain, slot: number) {
  if (slot <= chain.slot("finalized")) return "finalized";
  return slot <= chain.slot("confirmed") ? "confirmed" : "processed";
}

function statuses(chain: Chain, list: readonly string[]) {
  const head = chain.slot("processed");
  const values = list.map((signature) => {
    const positionOf = chain.positionOf(signature);
    if (!positionOf) return null;
    const { err } = positionOf.transaction.meta;
    const confirmationStatus = confirmationOf(chain, positionOf.slot);
    const confirmations = confirmationStatus === "finalized" ? null : head - positionOf.slot;
    return { slot: positionOf.slot, confirmations, err, status: statusOf(err), confirmationStatus };
  });
  return inContext(head, values);
}
