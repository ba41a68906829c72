import type { Currency } from "@/lib/domain/networks";
import type { Block, Head } from "@/lib/domain/networks/finality";
import type { FreezeState } from "@/lib/domain/refunds/freeze";
import type { BalanceAnswer, Holder } from "@/lib/domain/transfers/balance";
import type { LookUp } from "@/lib/domain/transfers/lookup";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";

export type { Block, Head };

/** The blocks from which to read transfers: one block identified by its hash, or an inclusive range of heights. */
export type Span = { blockHash: string; height: number } | { from: number; to: number };

/** A set of addresses in canonical form. A map by address is one, too, so that thousands of addresses need not be copied. */
export type AddressSet = Pick<ReadonlySet<string>, "has" | "size" | "keys">;

/** The options for reading the head. */
export interface HeadAsked {
  /** The last block that was read. */
  known?: { height: number; hash: string } | null;
  /** The accepted age of the final height, in milliseconds. If omitted, the final height is as new as the head. */
  finalMayBeMs?: number;
  /**
   * True if nothing is pending on the network. On a chain whose blocks do not identify the network, the chain id may then be verified less
   * often.
   */
  isIdle?: boolean;
}

/** A head, and the block after the known one, if it was read to link them. */
export interface SeenHead extends Head {
  next?: Block | null;
}

/** A function that reads the head. Its cached data can be cleared in case it is wrong. */
export interface HeadReader {
  (asked?: HeadAsked): Promise<SeenHead>;
  forget(): void;
}

/**
 * A reference to a block. A reference by hash includes the height if it is known, because a node may not return the height. A hash itself
 * proves that a block belongs to this network. For a reference by height, the surrounding blocks may prove it; otherwise the endpoint must
 * verify its chain id.
 */
export type BlockAt = { height: number; mustVerifyChainId?: boolean } | { hash: string; height?: number };

/** A transfer of any token contract, known or not. */
export type ReceiptTransfer = Omit<ChainTransfer, "network" | "currency">;

/** The result of a transaction on the current chain: its status, its block, and its transfers of any contract. */
export interface Receipt {
  isSuccess: boolean;
  blockHeight: number;
  blockHash: string;
  /** The time of that block, also when the transaction has no transfers. */
  time: Date;
  transfers: ReceiptTransfer[];
}

/** A readable description of an endpoint's opinion on a transfer. */
export interface EndpointStatement {
  endpoint: string;
  says: string;
}

/**
 * The result of a check of a transfer in the ledger. `retimed`: it is in the block where it was seen, but the endpoints agree on a
 * different time of that block. `waiting`: too few endpoints have responded, and more may. `contradicted`: endpoints contradict each
 * other, and it is unknown which one is wrong. `unclear`: the responses are not decisive.
 */
export type Finality =
  | { kind: "final" }
  | { kind: "retimed"; time: Date }
  | { kind: "moved"; height: number; hash: string; time: Date }
  | { kind: "gone" }
  | { kind: "waiting" }
  | { kind: "contradicted"; said: readonly EndpointStatement[] }
  | { kind: "unclear" };

/**
 * A function that returns true if a head makes a block final, by the rules of its network and of a merchant.
 * @param time the block's time according to the endpoint of that head; omitted if the endpoint returned none
 */
export type IsFinal = (head: Head, time?: Date) => boolean;

/**
 * A missed quorum: the required number of endpoints, the time since which too few agree, and the time of the last
 * check.
 */
export interface QuorumMiss {
  quorum: number;
  since: Date;
  at: Date;
}

/**
 * A transfer as recorded in the ledger: its identity, token and amount, the block it was seen in and that block's time.
 */
export type KnownTransfer = Pick<
  ChainTransfer,
  "txId" | "position" | "token" | "to" | "baseUnits" | "blockHeight" | "blockHash" | "blockTime"
>;

/** The finality checks that every family's network offers. */
export interface FinalityChecker {
  /**
   * Checks a transfer again, in a block that should be final by now. If there are several endpoints, one that did not report the transfer,
   * or a quorum of them, must return the same data. Each must have its own head past the block and the same time in its own header; see
   * ADR 0010.
   * @param isFinal the finality rule for each endpoint's own head; if omitted, any head is accepted
   * @throws ChainError when no endpoint responds
   */
  checkFinality(transfer: KnownTransfer, isFinal?: IsFinal): Promise<Finality>;
  /**
   * Runs the start-up check: chain identity and the decimals of every token and look-alike. Resolves to a readable
   * problem, or null.
   */
  problem(): Promise<string | null>;
  /**
   * Returns a readable warning about a problem that does not stop reads of the network: parts excluded at the start-up check, endpoints
   * that contradict each other, or reliance on a single endpoint. Null when there is none.
   */
  warning(): string | null;
  /**
   * Reports contradictory data when it is unknown which endpoint is wrong: the first endpoint is ranked last for a
   * while, so that the next try begins with another one.
   */
  mistrust(error: ChainError): void;
  /** Returns the missed quorum if too few endpoints agreed at the last check; null when enough did. */
  quorumMiss(): QuorumMiss | null;
  /** Returns the last height of each endpoint that has no errors. */
  heads(): number[];
}

/** A network whose balances can be read. */
export interface BalanceSource {
  /**
   * Reads balances from every endpoint that responds, as of the block at this height where the family supports it.
   * @param holders at most a hundred
   * @returns the balances of the first holders, up to the number that could be read in a few seconds
   */
  balances(holders: readonly Holder[], height: number): Promise<BalanceAnswer[]>;
}

/** A network whose tokens can be queried for blocked addresses. */
export interface FreezeSource {
  /**
   * Returns a token's own view of an address, on which the endpoints agree. Never rejects with ChainError: if too few endpoints respond,
   * the result is `unchecked`.
   * @param holder the address and the token contract, in canonical form
   */
  freezeState(holder: Holder, currency: Currency): Promise<FreezeState>;
}

/** The calls that trials of receiver contracts need. */
export interface ReceiverSource {
  /** Returns the same as `BlockSource.transfers`, but only transfers that `from` sent. */
  transfersFrom(from: string, span: Span, addresses: AddressSet): Promise<ChainTransfer[]>;
  /** Returns the transfers of known tokens to `addresses` (canonical form). */
  transfers(span: Span, addresses: AddressSet): Promise<ChainTransfer[]>;
  /** Returns true if the newest block has a contract at this address. */
  hasCode(address: string): Promise<boolean>;
  /** Returns the current gas price per unit of gas, in the smallest unit of the network's native coin. */
  gasPrice(): Promise<bigint>;
}

/**
 * The calls that the networks of every family offer. Methods reject with ChainError when no endpoint returned a trustworthy result; they
 * never return an empty result instead.
 */
interface CommonSource extends FinalityChecker, BalanceSource, FreezeSource {
  /** The names of all endpoints. */
  readonly endpoints: readonly string[];
  /** Returns the newest block that can be read, and the newest final height. */
  head(asked?: HeadAsked): Promise<SeenHead>;
  /** Returns the effects of a transaction, for any token; null when no endpoint has it. */
  receipt(txId: string): Promise<Receipt | null>;
  /** Looks up a transaction that a payer entered. */
  readonly lookUp: LookUp;
  /** The calls for receiver contracts; null if receivers cannot be contracts on the network. */
  readonly receivers: ReceiverSource | null;
}

/** A network that is read by its blocks, each with the transfers in it (EVM, TRON). */
export interface BlockSource extends CommonSource {
  readonly readBy: "blocks";
  /** Returns the block, or null when the chain does not have it (yet, or any more). */
  block(at: BlockAt): Promise<Block | null>;
  /** Returns the time of a block from every endpoint that has it. */
  blockTimes(at: { height: number; hash: string }): Promise<Date[]>;
  /** Returns transfers of known tokens to `addresses` (canonical form). */
  transfers(span: Span, addresses: AddressSet): Promise<ChainTransfer[]>;
  /** Returns the same as `transfers`, but from one endpoint, so that transfers omitted by a different endpoint are found. */
  transfersBy(endpoint: string, span: Span, addresses: AddressSet): Promise<ChainTransfer[]>;
}

/** A block and the slot of the block before it; its height is its slot. */
export interface SlotBlock extends Block {
  parentHeight: number;
}

/** A block of a slot, and the transfers to receivers in it. */
export interface SlotContent {
  block: SlotBlock;
  transfers: ChainTransfer[];
}

/** The options of the second read of a final slot. */
export interface AskedAgain {
  /** True if the chain has a block in the slot, so that an endpoint that reports the slot as skipped is wrong. */
  mustExist: boolean;
  /** True if any endpoint may respond; false if the endpoint that first returned the slot must not. */
  byAnyone: boolean;
}

/** The part of an account's history to read. */
export interface HistorySpan {
  /** The slot after which the span begins. */
  after: number;
  /** The slot that the responding node must have reached. */
  head: number;
  commitment?: "confirmed" | "finalized";
  /** The current duration of a slot. */
  blockMs: number;
}

/** A successful transaction in the history of an account. */
export interface AccountEntry {
  signature: string;
  slot: number;
}

/**
 * A network whose addresses own token accounts (Solana). It is read by the histories of those accounts, at a cost that
 * depends on their number, or by whole blocks. Heights are slots; a slot can have no block. Results are confirmed unless
 * stated otherwise.
 */
export interface AccountSource extends CommonSource {
  readonly readBy: "accounts";
  /** Returns the same network, restricted to one endpoint. */
  single(endpoint: string): AccountSource;
  /** Returns true if the finalized chain provably lacks a transaction in a slot; false if that is not proven. */
  isAbsent(slot: number, txId: string): Promise<boolean>;
  /** Returns the block of a slot; null where a node reports the slot as skipped. */
  block(slot: number): Promise<SlotBlock | null>;
  /**
   * Returns the block of a slot with its transfers of known tokens to `owners`. With `mustExist`, a response that the slot is skipped is
   * not accepted.
   * @throws ChainError("unreadable") as `transfers` does, for a transaction in the block
   */
  slot(slot: number, owners: AddressSet, mustExist?: boolean): Promise<SlotContent | null>;
  /** Returns the same as `slot`, from the finalized chain. */
  slotAgain(slot: number, owners: AddressSet, asked: AskedAgain): Promise<SlotContent | null>;
  /** Returns the successful transactions of a token account in a span, oldest first. */
  history(account: string, span: HistorySpan): Promise<AccountEntry[]>;
  /** Returns the token accounts to which wallets send an owner's known tokens. They are derived without a call. */
  associatedAccounts(owner: string): string[];
  /** Returns all current token accounts of an owner for known tokens, whether associated or not. */
  accountsOf(owner: string): Promise<string[]>;
  /**
   * Returns the transfers of known tokens to `owners` in a transaction that the chain has.
   * @throws ChainError("unreadable") when the transaction exists, but no endpoint can return it in a known form
   */
  transfers(signature: string, owners: AddressSet): Promise<ChainTransfer[]>;
}

/** An open network of any family. */
export type ChainSource = BlockSource | AccountSource;

/** The kind of an error. `unreadable`: an endpoint has the requested data, but cannot return it in a form that Stablegate can read. */
export type ChainErrorKind =
  | "unavailable"
  | "rangeTooLarge"
  | "rateLimited"
  | "inconsistent"
  | "refused"
  | "unreadable";

interface ChainErrorOptions {
  cause?: unknown;
  retryAfterMs?: number | null;
  code?: number | null;
  isUnanimous?: boolean;
}

/** An error thrown when the endpoints of a chain returned no trustworthy result. */
export class ChainError extends Error {
  override readonly name = "ChainError";
  readonly kind: ChainErrorKind;
  /** The wait that the endpoint requested; null when it requested none. */
  readonly retryAfterMs: number | null;
  /** The code of the JSON-RPC error; null if it was not a JSON-RPC error. */
  readonly code: number | null;
  /** True if every endpoint reported this error: all responded, and none reported anything else. */
  readonly isUnanimous: boolean;

  constructor(kind: ChainErrorKind, message: string, options: ChainErrorOptions = {}) {
    super(message, options);
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.code = options.code ?? null;
    this.isUnanimous = options.isUnanimous ?? false;
  }
}

/** Returns true if data exists but cannot be read, as opposed to missing responses, missing data and contradictions. */
export function isUnreadable(error: unknown): error is ChainError & { kind: "unreadable" } {
  return error instanceof ChainError && error.kind === "unreadable";
}
