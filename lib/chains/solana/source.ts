import * as z from "zod";
import type { Endpoint } from "@/lib/chains/endpoints/endpoint";
import type { EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import {
  createEndpoints,
  type Endpoints,
  readChecked,
  readTwice,
  singleEndpoint,
} from "@/lib/chains/endpoints/endpoints";
import { createFinalityCheck, type FinalityCheck } from "@/lib/chains/endpoints/finality-check";
import { contradiction } from "@/lib/chains/endpoints/heights";
import {
  type AccountSource,
  type AddressSet,
  ChainError,
  isUnreadable,
  type Receipt,
  type SlotBlock,
} from "@/lib/chains/endpoints/source";
import { type CheckedNetwork, tokenProblem, withOwnLookAlikes } from "@/lib/chains/endpoints/token-check";
import { readSolanaBalances } from "@/lib/chains/solana/balances";
import { type Asked, type Commitment, SlotReader } from "@/lib/chains/solana/blocks";
import { createSolanaHeadReader, createSolanaLook } from "@/lib/chains/solana/finality";
import { readSolanaFreezeState } from "@/lib/chains/solana/freeze";
import { readHistory } from "@/lib/chains/solana/history";
import { SOLANA_PROTOCOL, transactionParams } from "@/lib/chains/solana/protocol";
import { balanceDeltas, gainsOf, inBlock, mintGains } from "@/lib/chains/solana/transfers";
import { IncludedTransaction, Slot, TokenAccounts } from "@/lib/chains/solana/wire";
import { associatedAccount } from "@/lib/domain/checkout/solana-payment";
import type { Network } from "@/lib/domain/networks";
import { type BlockClock, createBlockClock } from "@/lib/domain/networks/finality";
import type { SeenTransaction } from "@/lib/domain/transfers/lookup";
import { type ChainTransfer, watchedTokens } from "@/lib/domain/transfers/transfer";

const NullableTransaction = z.nullable(IncludedTransaction);

interface Reader {
  network: Network;
  endpoints: Endpoints;
  slots: SlotReader;
  finality: FinalityCheck;
  now: () => Date;
  /** The last control read of a different transaction: its time, and true if the endpoints returned that transaction. */
  control: { at: Date; isReadable: boolean } | null;
}

const CONTROL_OLD_MS = 20_000;

/** Opens Solana over JSON-RPC. The returned object holds the state of its endpoints. */
export function createSolanaSource(network: Network, options: EndpointsOptions): AccountSource {
  const endpoints = createEndpoints(network, options, SOLANA_PROTOCOL);
  const finality = createFinalityCheck(endpoints, createSolanaLook(network));
  return sourceOf(withOwnLookAlikes(network), endpoints, finality);
}

function sourceOf(
  network: CheckedNetwork,
  endpoints: Endpoints,
  finality: FinalityCheck,
  clock: BlockClock = createBlockClock(),
): AccountSource {
  const { now } = endpoints;
  const blockMs = () => clock.blockMs() ?? network.blockMs;
  const slots = new SlotReader(endpoints, now, blockMs);
  const readHead = createSolanaHeadReader(endpoints, slots, now, { clock, blockMs });
  const reader: Reader = { network, endpoints, slots, finality, now, control: null };
  return {
    readBy: "accounts",
    receivers: null,
    endpoints: endpoints.all.map(({ name }) => name),
    single: (endpoint) => sourceOf(network, singleEndpoint(endpoints, endpoint), finality, clock),
    head: (asked) => readTwice(endpoints, () => readHead(asked)),
    mistrust: (error) => {
      endpoints.disputeFirst(error);
      readHead.forget();
    },
    block: (slot) => slots.header(slot, { mustVerifyChainId: true }),
    slot: (slot, owners, mustExist = false) => readSlot(reader, slot, owners, { mustExist }),
    slotAgain: (slot, owners, { mustExist, byAnyone }) =>
      readSlot(reader, slot, owners, {
        mustExist,
        commitment: "finalized",
        mustVerifyChainId: false,
        again: !byAnyone,
      }),
    isAbsent: (slot, txId) => slots.isAbsent(slot, txId),
    history: (account, span) => readHistory(endpoints, account, span),
    associatedAccounts: (owner) => [...watchedTokens(network).keys()].map((mint) => associatedAccount(owner, mint)),
    accountsOf: (owner) => readAccountsOf(reader, owner),
    transfers: (signature, owners) => readTransfers(reader, signature, owners),
    lookUp: (signature, owners) => lookUp(reader, signature, owners),
    receipt: (signature) => readReceipt(reader, signature),
    freezeState: (holder) => readSolanaFreezeState(endpoints, holder),
    balances: (holders, slot) => readSolanaBalances(endpoints, holders, slot),
    checkFinality: (transfer, isFinal = () => true) => finality.check(transfer, isFinal),
    problem: () => solanaProblem(network, endpoints),
    warning: () => [network.warning, finality.warning()].filter(Boolean).join(" ") || null,
    quorumMiss: finality.quorumMiss,
    heads: endpoints.heads,
  };
}

/**
 * Reads a confirmed transaction from any endpoint that has it; if its slot fails `check`, the next endpoint is queried.
 */
async function readTransaction<T>(
  { endpoints }: Reader,
  signature: string,
  check: (found: IncludedTransaction | null, endpoint: string | null) => Promise<T>,
): Promise<T> {
  const request = {
    method: "getTransaction",
    ...transactionParams(signature, "confirmed"),
    // A node may correctly lack the transaction, because the history that lists the transaction may be forged.
    isOpinion: true,
    parse: (result: unknown, { name }: Endpoint) => {
      const found = NullableTransaction.parse(result);
      if (found && found.signature !== signature)
        throw contradiction("getTransaction", "signatures: the transaction is not the requested one");
      return found && { value: found, endpoint: name };
    },
  };
  const unanswered = { value: null, endpoint: null };
  const read = async (without: ReadonlySet<string>) =>
    (await endpoints.askOrNull({ ...request, without })) ?? unanswered;
  return readChecked(endpoints, read, check);
}

/** Looks up a transaction, including tokens that are not in the table, so that a wrong token is reported. */
async function lookUp(reader: Reader, signature: string, owners: AddressSet): Promise<SeenTransaction | null> {
  return readTransaction(reader, signature, async (found) => {
    if (!found) return null;
    const mints = new Set(balanceDeltas(found).map(({ mint }) => mint));
    const transfers = [...mints].flatMap((mint) => mintGains(found, mint, owners));
    return { isSuccess: found.isSuccess, time: null, transfers };
  });
}

async function readReceipt(reader: Reader, signature: string): Promise<Receipt | null> {
  return readTransaction(reader, signature, async (found, endpoint) => {
    if (!found) return null;
    const deltas = balanceDeltas(found);
    const owners = new Set(deltas.flatMap(({ owner }) => owner ?? []));
    const gains = [...new Set(deltas.map(({ mint }) => mint))].flatMap((mint) => mintGains(found, mint, owners));
    const block = await blockWith(reader, found.slot, "confirmed");
    const inBlock = { blockHeight: block.height, blockHash: block.hash };
    const transfers = gains.map((gain) => ({ ...gain, ...inBlock, blockTime: block.time }));
    if (endpoint !== null) reader.finality.recordReporter(endpoint, transfers);
    return { isSuccess: found.isSuccess, ...inBlock, time: block.time, transfers };
  });
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
  const block = await slots.header(slot, { commitment, mustExist: true, mustVerifyChainId: true });
  if (block) return block;
  throw new ChainError("inconsistent", `Slot ${slot} contains a transfer, but no endpoint has its block`);
}

async function readTransfers(reader: Reader, signature: string, owners: AddressSet): Promise<ChainTransfer[]> {
  return readTransaction(reader, signature, async (found, endpoint) => {
    if (!found)
      throw new ChainError(
        "inconsistent",
        `No endpoint returned ${signature}, which is listed in the history of an account`,
      );
    const gains = gainsOf(reader.network, found, owners);
    if (gains.length === 0) return [];
    const transfers = inBlock(gains, await blockWith(reader, found.slot, "confirmed"));
    if (endpoint !== null) reader.finality.recordReporter(endpoint, transfers);
    return transfers;
  }).catch((error) => throwBlamed(reader, signature, error));
}

/**
 * Throws the error that occurred when a transaction was read. Unless an endpoint returned an error code, the transaction counts as
 * unreadable only if the endpoints return a different transaction in a known form. Nodes that record no balances return every transaction
 * without balances, and payments stay pending until the nodes record balances.
 */
async function throwBlamed(reader: Reader, signature: string, error: unknown): Promise<never> {
  const isStated = !isUnreadable(error) || error.code !== null;
  if (isStated || (await canReadOthers(reader, signature))) throw error;
  throw new ChainError("inconsistent", error.message, { cause: error });
}

async function canReadOthers(reader: Reader, signature: string): Promise<boolean> {
  const { control, now } = reader;
  if (control && now().getTime() - control.at.getTime() < CONTROL_OLD_MS) return control.isReadable;
  const isReadable = await readAnother(reader, signature).catch((error) => {
    if (error instanceof ChainError) return false;
    throw error;
  });
  reader.control = { at: now(), isReadable };
  return isReadable;
}

/** Returns true if the endpoints return the first other transaction of the newest block in a known form. */
async function readAnother(reader: Reader, signature: string): Promise<boolean> {
  const { endpoints, slots } = reader;
  const parse = (result: unknown) => Slot.parse(result);
  const slot = await endpoints.ask({ method: "getSlot", params: [{ commitment: "confirmed" }], parse });
  const { height } = await slots.newest(slot, undefined);
  const other = (await slots.signatures(height))?.find((candidate) => candidate !== signature);
  return other !== undefined && (await readTransaction(reader, other, async (found) => found !== null));
}

async function readSlot({ network, slots, finality }: Reader, slot: number, owners: AddressSet, asked: Asked) {
  const found = await slots.content(slot, asked);
  if (!found) return null;
  const gains = found.transactions.flatMap((one) => gainsOf(network, one, owners));
  const transfers = inBlock(gains, found.block);
  finality.recordReporter(found.endpoint, transfers);
  return { block: found.block, transfers };
}

const Supply = z.object({ value: z.object({ decimals: z.number().int().min(0).max(255) }) });
/** The code of Agave's "Invalid param: could not find account" and "… not a Token mint". */
const INVALID_PARAM = -32602;

/** Compares the chain with the networks table: its genesis hash, and the decimals of every mint. */
export async function solanaProblem(network: CheckedNetwork, endpoints: Endpoints): Promise<string | null> {
  return tokenProblem(network, endpoints, ({ contract }, check) =>
    endpoints.askOrNull<number>({
      method: "getTokenSupply",
      params: [contract, { commitment: "finalized" }],
      parse: (result) => check(Supply.parse(result).value.decimals),
      parseError: (code) => (code === INVALID_PARAM ? null : undefined),
    }),
  );
}
