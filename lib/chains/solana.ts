import { z } from "zod";
import type { Endpoint } from "@/lib/chains/endpoint";
import { aloneWith, createEndpoints, type Endpoints, type EndpointsOptions } from "@/lib/chains/endpoints";
import { type Asked, type Commitment, createSlotReader, type SlotBlock } from "@/lib/chains/solana-blocks";
import { SOLANA_DIALECT } from "@/lib/chains/solana-dialect";
import { createSolanaHeadReader } from "@/lib/chains/solana-head";
import { type HistorySpan, readHistory } from "@/lib/chains/solana-history";
import { solanaProblem } from "@/lib/chains/solana-problem";
import { gainsOf, inBlock, mintGains } from "@/lib/chains/solana-transfers";
import { type HistoryEntry, PlacedTransaction, TokenAccounts } from "@/lib/chains/solana-wire";
import { ChainError, type KnownTransfer, type Standing, type TransferJudge } from "@/lib/chains/source";
import { isSamePayment, unclearIfInDoubt } from "@/lib/chains/standing";
import { type CheckedNetwork, withOwnLookAlikes } from "@/lib/chains/token-problem";
import type { Head } from "@/lib/domain/block";
import type { Network } from "@/lib/domain/networks";
import { watchedTokens } from "@/lib/domain/token";
import type { ChainTransfer } from "@/lib/domain/transfer";

const NullableTransaction = z.nullable(PlacedTransaction);

/** A block of a slot, and the transfers to receivers in it. */
export interface SlotContent {
  block: SlotBlock;
  transfers: ChainTransfer[];
}

/**
 * Solana as the watcher sees it. Heights are slots, and what it shows is confirmed unless said otherwise. Methods reject
 * with ChainError when no endpoint gave an answer that could be trusted; they never answer "nothing" instead.
 */
export interface SolanaSource extends TransferJudge {
  /** The names of all endpoints. */
  readonly endpoints: readonly string[];
  /** The same as one endpoint alone has it. */
  alone(endpoint: string): SolanaSource;
  head(): Promise<Head>;
  /** The block of a slot; null where a node says that the slot was skipped. */
  block(slot: number): Promise<SlotBlock | null>;
  /** The same with its transfers of known tokens to `owners`; with `mustExist` it is not believed to be skipped. */
  slot(slot: number, owners: ReadonlySet<string>, mustExist?: boolean): Promise<SlotContent | null>;
  /**
   * The same as the finalized chain has it, of another endpoint than told it first, where there is one; of any of them
   * with `byAnyone`.
   */
  slotAgain(slot: number, owners: ReadonlySet<string>, asked: AskedAgain): Promise<SlotContent | null>;
  /** The successful transactions of a token account in a span, oldest first. */
  history(account: string, span: HistorySpan): Promise<HistoryEntry[]>;
  /** All token accounts that an owner has now for known tokens, the associated ones or others. */
  accountsOf(owner: string): Promise<string[]>;
  /** The transfers of known tokens to `owners` in a transaction that the chain has. */
  transfers(signature: string, owners: ReadonlySet<string>): Promise<ChainTransfer[]>;
}

export interface AskedAgain {
  mustExist: boolean;
  byAnyone: boolean;
}

interface Reader {
  network: Network;
  endpoints: Endpoints;
  slots: ReturnType<typeof createSlotReader>;
  /** Whoever showed a confirmed transaction last. */
  lastEndpoint: string | undefined;
}

/** Solana over JSON-RPC. What it learns about its endpoints lives in the returned object. */
export function createSolanaSource(network: Network, options: EndpointsOptions): SolanaSource {
  return sourceOf(withOwnLookAlikes(network), createEndpoints(network, options, SOLANA_DIALECT), options.now);
}

function sourceOf(network: CheckedNetwork, endpoints: Endpoints, now: () => Date): SolanaSource {
  const slots = createSlotReader(endpoints);
  const reader: Reader = { network, endpoints, slots, lastEndpoint: undefined };
  return {
    endpoints: endpoints.all.map(({ name }) => name),
    alone: (endpoint) => sourceOf(network, aloneWith(endpoints, endpoint), now),
    head: createSolanaHeadReader(network, endpoints, slots, now),
    block: (slot) => slots.header(slot, { mustVouch: true }),
    slot: (slot, owners, mustExist = false) => readSlot(reader, slot, owners, { mustExist }),
    slotAgain: (slot, owners, { mustExist, byAnyone }) =>
      readSlot(reader, slot, owners, { mustExist, commitment: "finalized", mustVouch: false, again: !byAnyone }),
    history: (account, span) => readHistory(endpoints, account, span),
    accountsOf: (owner) => readAccountsOf(reader, owner),
    transfers: (signature, owners) => readTransfers(reader, signature, owners),
    standing: (transfer) => standingOf(reader, transfer).catch(unclearIfInDoubt),
    problem: () => solanaProblem(network, endpoints),
    warning: () => network.warning,
    quorumMiss: endpoints.quorumMiss,
  };
}

/** A confirmed transaction from whoever has it; a finalized one from another endpoint and as the quorum demands. */
async function readTransaction(reader: Reader, signature: string, commitment: Commitment) {
  const { endpoints } = reader;
  const isFinal = commitment === "finalized";
  const request = {
    method: "getTransaction",
    params: [signature, { commitment, encoding: "json", maxSupportedTransactionVersion: 0 }],
    notFirst: isFinal ? reader.lastEndpoint : undefined,
    mustVouch: () => isFinal,
    parse: (result: unknown, endpoint: Endpoint) => {
      const found = NullableTransaction.parse(result);
      if (found && found.signature !== signature) {
        throw new ChainError("inconsistent", "A node answered with another transaction than was asked for");
      }
      if (found && !isFinal) reader.lastEndpoint = endpoint.name;
      return found;
    },
  };
  const mustAgree = isFinal && endpoints.quorum > 1;
  return mustAgree ? endpoints.askAgreed(request, (found) => JSON.stringify(found)) : endpoints.askOrNull(request);
}

async function readAccountsOf({ network, endpoints }: Reader, owner: string): Promise<string[]> {
  const config = { commitment: "confirmed", encoding: "base64", dataSlice: { offset: 0, length: 0 } };
  const asked = [...watchedTokens(network).keys()].map((mint) =>
    endpoints.ask({
      method: "getTokenAccountsByOwner",
      params: [owner, { mint }, config],
      parse: (result) => TokenAccounts.parse(result).value.map(({ pubkey }) => pubkey),
    }),
  );
  return (await Promise.all(asked)).flat();
}

async function blockWith({ slots }: Reader, slot: number, commitment: Commitment): Promise<SlotBlock> {
  const block = await slots.header(slot, { commitment, mustExist: true, mustVouch: true });
  if (block) return block;
  throw new ChainError("inconsistent", `Slot ${slot} holds a transfer, but no endpoint has its block`);
}

async function readTransfers(reader: Reader, signature: string, owners: ReadonlySet<string>): Promise<ChainTransfer[]> {
  const found = await readTransaction(reader, signature, "confirmed");
  if (!found) throw new ChainError("inconsistent", `No endpoint knows ${signature}, which an account's history names`);
  const gains = gainsOf(reader.network, found, owners);
  return gains.length === 0 ? [] : inBlock(gains, await blockWith(reader, found.slot, "confirmed"));
}

async function readSlot({ network, slots }: Reader, slot: number, owners: ReadonlySet<string>, asked: Asked) {
  const found = await slots.content(slot, asked);
  if (!found) return null;
  const gains = found.transactions.flatMap((one) => gainsOf(network, one, owners));
  return { block: found.block, transfers: inBlock(gains, found.block) };
}

/** As the finalized chain has it; that it is gone must be proven by the block of its slot. */
async function standingOf(reader: Reader, transfer: KnownTransfer): Promise<Standing> {
  const { slots } = reader;
  const found = await readTransaction(reader, transfer.txId, "finalized");
  if (!found) {
    const isGone = await slots.isAbsent(transfer.blockHeight, transfer.txId);
    return { kind: isGone ? "gone" : "unclear" };
  }
  const block = await blockWith(reader, found.slot, "finalized");
  const now = mintGains(found, transfer.token, new Set([transfer.to]));
  if (!now.some((candidate) => isSamePayment(candidate, transfer))) return { kind: "gone" };
  if (block.hash === transfer.blockHash) return { kind: "final" };
  return { kind: "moved", height: block.height, hash: block.hash, time: block.time };
}
