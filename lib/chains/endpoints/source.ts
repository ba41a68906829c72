import type { Block, Head } from "@/lib/domain/networks/finality";
import type { BalanceAnswer, Holder } from "@/lib/domain/transfers/balance";
import type { LookUp } from "@/lib/domain/transfers/lookup";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";

export type { Block, Head };

/** Where to look for transfers: one block tied by its hash, or an inclusive range of heights. */
export type Span = { blockHash: string; height: number } | { from: number; to: number };

/** What is known already when a head is asked for, and what it is wanted for. */
export interface HeadAsked {
  /** The block that reading goes on after. */
  known?: { height: number; hash: string } | null;
  /** How old the height that is final may be, in milliseconds; left out: as new as the head. */
  finalMayBeMs?: number;
  /** Nobody waits: a chain whose blocks tie nobody to the network may be asked for its identity only now and then. */
  isIdle?: boolean;
}

/** A head, and the block after the one that was known, where it was read to tie them together. */
export interface SeenHead extends Head {
  next?: Block | null;
}

/** A function that reads the head. What it keeps of the last one can be forgotten, should that be wrong. */
export interface HeadReader {
  (asked?: HeadAsked): Promise<SeenHead>;
  forget(): void;
}

/**
 * Which block is meant. By its hash, its height is told where it is known, for a node may give the one and not the other. A
 * hash tells for itself that a block is of this network; by its height that may follow from the
 * blocks around it, or else the endpoint must verify its chain id.
 */
export type BlockAt = { height: number; mustVerifyChainId?: boolean } | { hash: string; height?: number };

/** A transfer of any contract, known or not. */
export type ReceiptTransfer = Omit<ChainTransfer, "network" | "currency">;

/** What a transaction did, as a chain shows it now: whether it succeeded, where, and its transfers of whatever contract. */
export interface Receipt {
  isSuccess: boolean;
  blockHeight: number;
  blockHash: string;
  /** The time of that block, also when the transaction moved nothing. */
  time: Date;
  transfers: ReceiptTransfer[];
}

/** What an endpoint says of a transfer, in words for people. */
export interface EndpointSays {
  endpoint: string;
  says: string;
}

/**
 * What became of a transfer in the ledger. `retimed`: it is in the block where it was seen, but the endpoints agree on another
 * time of that block; `waiting`: too few have said anything, and may yet; `contradicted`: endpoints say different things, and
 * nobody knows who is wrong; `unclear`: the answers settle nothing.
 */
export type Finality =
  | { kind: "final" }
  | { kind: "retimed"; time: Date }
  | { kind: "moved"; height: number; hash: string; time: Date }
  | { kind: "gone" }
  | { kind: "waiting" }
  | { kind: "contradicted"; said: readonly EndpointSays[] }
  | { kind: "unclear" };

/**
 * Whether a head makes a block final, by the rules of its network and of a merchant.
 * @param time the block's time as the endpoint of that head returns it; left out: it returned none
 */
export type IsFinal = (head: Head, time?: Date) => boolean;

/** Too few endpoints agree: how many must, since when they do not, and when that was last seen. */
export interface QuorumMiss {
  quorum: number;
  since: Date;
  at: Date;
}

/** A transfer as the ledger has it: its identity, what it moved, the block it was seen in and that block's time. */
export type KnownTransfer = Pick<
  ChainTransfer,
  "txId" | "position" | "token" | "to" | "baseUnits" | "blockHeight" | "blockHash" | "blockTime"
>;

/** What every family's network can be asked, however it is read. */
export interface FinalityChecker {
  /**
   * Looks at a transfer again, in a block that should be final by now. Where there are several endpoints, one that did not
   * tell of it must show the same, or as many as the quorum, each with its own head past the block and the same time in its
   * own header; see ADR 0010.
   * @param isFinal by which each endpoint's own head is measured; left out: any head will do
   * @throws ChainError when nobody says anything
   */
  checkFinality(transfer: KnownTransfer, isFinal?: IsFinal): Promise<Finality>;
  /** The start-up check: chain identity and the decimals of every token and look-alike. Resolves to what is wrong, in words, or null. */
  problem(): Promise<string | null>;
  /**
   * What is odd, though the network is read, in words: what was left out at the start-up check, endpoints that contradict each
   * other, one that has to be believed alone. Null when nothing is.
   */
  warning(): string | null;
  /**
   * What the endpoints told contradicts itself, and nobody knows which of them is wrong: whoever is asked first is asked last
   * for a while, so that the next try begins with another one.
   */
  mistrust(error: ChainError): void;
  /** Whether too few endpoints agreed, where several must, when they were last asked; null when enough did. */
  quorumMiss(): QuorumMiss | null;
  /** The newest height that each endpoint showed when it was last asked, those in trouble left out. */
  heads(): number[];
}

/** What holds money can be asked what it holds. */
export interface BalanceSource {
  /**
   * What every endpoint that answers shows of balances, after the block of this height where the family can tell.
   * @param holders a hundred at most
   * @returns of the first of them, as many as could be read in a few seconds
   */
  balances(holders: readonly Holder[], height: number): Promise<BalanceAnswer[]>;
}

/** The calls for trials of receiver contracts. */
export interface ReceiverSource {
  /** Returns the same as `BlockSource.transfers`, but only transfers that `from` sent. */
  transfersFrom(from: string, span: Span, addresses: ReadonlySet<string>): Promise<ChainTransfer[]>;
  /** Transfers of known tokens to `addresses` (canonical form). */
  transfers(span: Span, addresses: ReadonlySet<string>): Promise<ChainTransfer[]>;
  /** Whether there is a contract, in the newest block. */
  hasCode(address: string): Promise<boolean>;
  /** The price of a unit of gas now, in the smallest unit of the network's coin. */
  gasPrice(): Promise<bigint>;
}

/**
 * The calls that every family's network offers. Methods reject with ChainError when no endpoint returned a result that can be
 * trusted; they never return "nothing" instead.
 */
interface CommonSource extends FinalityChecker, BalanceSource {
  /** The names of all endpoints. */
  readonly endpoints: readonly string[];
  /** The newest block that can be read, and the newest final height. */
  head(asked?: HeadAsked): Promise<SeenHead>;
  /** The effects of a transaction, for any token; null when no endpoint has it. */
  receipt(txId: string): Promise<Receipt | null>;
  /** One look at a transaction that a payer names. */
  readonly lookUp: LookUp;
  /** Null where receivers cannot be contracts. */
  readonly receivers: ReceiverSource | null;
}

/** A network that is read by its blocks, each with the transfers in it (EVM, TRON). */
export interface BlockSource extends CommonSource {
  readonly readBy: "blocks";
  /** The block, or null when the chain has no such block (yet, or any more). */
  block(at: BlockAt): Promise<Block | null>;
  /** The time of a block as every endpoint that has it returns it. */
  blockTimes(at: { height: number; hash: string }): Promise<Date[]>;
  /** Transfers of known tokens to `addresses` (canonical form). */
  transfers(span: Span, addresses: ReadonlySet<string>): Promise<ChainTransfer[]>;
  /** Returns the same as `transfers`, but from one endpoint, so that transfers omitted by another are found. */
  transfersBy(endpoint: string, span: Span, addresses: ReadonlySet<string>): Promise<ChainTransfer[]>;
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

/** The calls that read a final slot a second time. */
export interface AskedAgain {
  /** The chain has a block there: an endpoint that calls the slot skipped is wrong. */
  mustExist: boolean;
  /** Any endpoint may answer; otherwise one that did not return the slot first. */
  byAnyone: boolean;
}

/** Which part of an account's history is read. */
export interface HistorySpan {
  /** Everything above this slot. */
  after: number;
  /** The answer must come from a node that has seen this slot. */
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
  /** The same network through one endpoint alone. */
  alone(endpoint: string): AccountSource;
  /** Returns true if the finalized chain provably lacks a transaction in a slot; false if that is not proven. */
  isAbsent(slot: number, txId: string): Promise<boolean>;
  /** The block of a slot; null where a node calls the slot skipped. */
  block(slot: number): Promise<SlotBlock | null>;
  /**
   * The block of a slot with its transfers of known tokens to `owners`; with `mustExist` it is not believed to be skipped.
   * @throws ChainError("unreadable") as `transfers`, for one such transaction in it
   */
  slot(slot: number, owners: ReadonlySet<string>, mustExist?: boolean): Promise<SlotContent | null>;
  /** Returns the same as `slot`, from the finalized chain. */
  slotAgain(slot: number, owners: ReadonlySet<string>, asked: AskedAgain): Promise<SlotContent | null>;
  /** The successful transactions of a token account in a span, oldest first. */
  history(account: string, span: HistorySpan): Promise<AccountEntry[]>;
  /** The token accounts to which wallets send an owner's known tokens; derived, without a call. */
  associatedAccounts(owner: string): string[];
  /** All token accounts that an owner has now for known tokens, associated ones or others. */
  accountsOf(owner: string): Promise<string[]>;
  /**
   * The transfers of known tokens to `owners` in a transaction that the chain has.
   * @throws ChainError("unreadable") when it is there, and no endpoint can show it in a known form
   */
  transfers(signature: string, owners: ReadonlySet<string>): Promise<ChainTransfer[]>;
}

/** An open network of any family. */
export type ChainSource = BlockSource | AccountSource;

/** `unreadable`: an endpoint has what was asked for, but in a form that it cannot show, or that nobody here can read. */
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

/** A chain's endpoints could not give an answer to trust. */
export class ChainError extends Error {
  override readonly name = "ChainError";
  readonly kind: ChainErrorKind;
  /** How long the endpoint asked to be left alone; null when it did not say. */
  readonly retryAfterMs: number | null;
  /** Code of the JSON-RPC error; null when it was none. */
  readonly code: number | null;
  /** Whether every endpoint there is said so, none was silent and none said anything else. */
  readonly isUnanimous: boolean;

  constructor(kind: ChainErrorKind, message: string, options: ChainErrorOptions = {}) {
    super(message, options);
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.code = options.code ?? null;
    this.isUnanimous = options.isUnanimous ?? false;
  }
}

/** Whether something is there that cannot be read, as opposed to silence, ignorance and contradiction. */
export function isUnreadable(error: unknown): error is ChainError & { kind: "unreadable" } {
  return error instanceof ChainError && error.kind === "unreadable";
}
