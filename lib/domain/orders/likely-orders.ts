import { rescaleUnits } from "@/lib/domain/money";
import type { Currency } from "@/lib/domain/networks";
import { creditedUnits, decimalsOf, type OrderStatus } from "@/lib/domain/orders/order";
import { RECENT_HOLD_MS, type TokenRef, tokenOf } from "@/lib/domain/transfers/transfer";

/** The relation of the received amount to the amount of an order. */
export type AmountClue = "exact" | "rest" | "price" | "fee" | "less" | "more";
/** The other evidence for or against an order. */
export type ChainClue =
  | "otherCurrency"
  | "otherNetwork"
  | "otherAddress"
  | "late"
  | "before"
  | "settled"
  | "cancelled"
  | "claimed";

/** A transfer that matches no order. */
export interface UnmatchedTransfer extends TokenRef {
  toAddress: string;
  baseUnits: bigint;
  blockTime: Date;
  /**
   * The order for which the amount was reserved when the transfer was sent, although the transfer cannot be credited to it; null if there
   * was none.
   */
  meantOrderId?: string | null;
}

/** An order that the transfer might be meant for, with its shown quote. Amounts are base units of the quote's token. */
export interface OrderCandidate {
  id: string;
  mchOrderId: string;
  status: OrderStatus;
  network: string;
  currency: Currency;
  address: string;
  /** The amount requested from the payer, and the price before it was made distinct. */
  dueUnits: bigint;
  priceUnits: bigint;
  paidUnits: bigint;
  createdAt: Date;
  expiresAt: Date;
  /** The end of the hold of that quote. */
  heldUntil: Date;
  /** True if its payer entered the transaction of the transfer. Nothing verifies that. */
  isClaimed?: boolean;
}

export interface LikelyOrder<T extends OrderCandidate = OrderCandidate> {
  order: T;
  amount: AmountClue;
  clues: ChainClue[];
  /** The amount that is missing after this transfer (negative: the excess), in base units of the quote's token. */
  shortUnits: bigint;
  score: number;
}

const AMOUNT_SCORE: Readonly<Record<AmountClue, number>> = {
  exact: 100,
  rest: 95,
  price: 85,
  fee: 70,
  more: 45,
  less: 40,
};
/** Another network or address costs more than any difference of amounts, except that an exact amount elsewhere stays likely. */
const CLUE_SCORE: Readonly<Record<ChainClue, number>> = {
  otherCurrency: -8,
  otherNetwork: -45,
  otherAddress: -35,
  late: -8,
  before: -40,
  settled: -25,
  cancelled: -30,
  claimed: 0,
};
/**
 * The bonus for a late payment of exactly the requested amount. It ranks the order above matches in a different currency or on a different
 * network.
 */
const JUST_ENDED_SCORE = 60;
/** The bonus for the order for which the amount was reserved. It ranks the order above all orders that are only similar. */
const MEANT_SCORE = 200;
/** The largest deduction from a withdrawal that counts as an exchange fee: whole units of a currency, or a share of a larger amount due. */
const MAX_FEE = 5n;
const MAX_FEE_PERCENT = 5n;
const HOUR_MS = 3_600_000;
const MAX_HOURS = 20;
const SHOWN = 5;

/** Returns the orders that a transfer was most likely meant for, likeliest first, at most five, each with the facts for and against it. */
export function likelyOrders<T extends OrderCandidate>(
  transfer: UnmatchedTransfer,
  candidates: readonly T[],
): LikelyOrder<T>[] {
  const claimed = candidates.filter(({ isClaimed }) => isClaimed);
  const sole = claimed.length === 1 ? claimed[0] : undefined;
  return candidates
    .map((order) => scoreLikely(transfer, order, order === sole))
    .sort((a, b) => b.score - a.score || b.order.createdAt.getTime() - a.order.createdAt.getTime())
    .slice(0, SHOWN);
}

/**
 * Scores how well one transfer fits one order.
 * @param isSoleClaim true if only the payer of this order entered the transaction. Such an order ranks as if it had been created when the
 * transfer was sent, so that a claim decides between orders that fit equally well, and nothing else.
 */
export function scoreLikely<T extends OrderCandidate>(
  transfer: UnmatchedTransfer,
  order: T,
  isSoleClaim = false,
): LikelyOrder<T> {
  const amount = amountClue(transfer, order);
  const clues = chainClues(transfer, order);
  const hours = Math.abs(transfer.blockTime.getTime() - order.createdAt.getTime()) / HOUR_MS;
  const penalty = clues.reduce((sum, clue) => sum + CLUE_SCORE[clue], 0);
  const meant = order.id === transfer.meantOrderId ? MEANT_SCORE : 0;
  const ended = amount === "exact" && hasJustEnded(transfer, order) ? JUST_ENDED_SCORE : 0;
  const age = isSoleClaim ? 0 : Math.min(MAX_HOURS, hours);
  const score = AMOUNT_SCORE[amount] + meant + ended + penalty - age;
  return { order, amount, clues, score, shortUnits: missingUnits(order) - creditedUnits(transfer, order) };
}

/**
 * Returns true if the order's hold on this token and address ended at most a day before the transfer. The unmatched reason `late` uses the
 * same period.
 */
function hasJustEnded(transfer: UnmatchedTransfer, { network, currency, address, heldUntil }: OrderCandidate): boolean {
  const isSame = transfer.network === network && transfer.currency === currency && transfer.toAddress === address;
  const agoMs = transfer.blockTime.getTime() - heldUntil.getTime();
  return isSame && agoMs > 0 && agoMs <= RECENT_HOLD_MS;
}

function amountClue(transfer: UnmatchedTransfer, order: OrderCandidate): AmountClue {
  const units = creditedUnits(transfer, order);
  const isWhole = rescaleUnits(units, decimalsOf(order), tokenOf(transfer).decimals) === transfer.baseUnits;
  if (isWhole && units === order.dueUnits) return "exact";
  if (isWhole && order.paidUnits > 0n && units === missingUnits(order)) return "rest";
  if (isWhole && units === order.priceUnits) return "price";
  if (units > order.dueUnits) return "more";
  return isFee(order.dueUnits - units, order) ? "fee" : "less";
}

/** Returns true if a shortfall can be an exchange fee. Exchange fees are round: at most one digit after the decimal point. */
function isFee(shortUnits: bigint, order: OrderCandidate): boolean {
  const one = 10n ** BigInt(decimalsOf(order));
  const isSmall = shortUnits <= MAX_FEE * one || shortUnits * 100n <= order.dueUnits * MAX_FEE_PERCENT;
  return (
    isSmall &&
    (shortUnits % (one / 10n) === 0n || (order.priceUnits - order.dueUnits + shortUnits) % (one / 10n) === 0n)
  );
}

function chainClues(transfer: UnmatchedTransfer, order: OrderCandidate): ChainClue[] {
  const clues: [ChainClue, boolean][] = [
    ["otherCurrency", transfer.currency !== order.currency],
    ["otherNetwork", transfer.network !== order.network],
    ["otherAddress", transfer.toAddress !== order.address],
    ["late", transfer.blockTime > order.expiresAt],
    ["before", transfer.blockTime < order.createdAt],
    ["settled", order.status === "paid"],
    ["cancelled", order.status === "cancelled"],
    ["claimed", order.isClaimed === true],
  ];
  return clues.flatMap(([clue, isTrue]) => (isTrue ? [clue] : []));
}

/** Returns the amount that an order still requires; zero if it is paid. */
function missingUnits({ status, dueUnits, paidUnits }: OrderCandidate): bigint {
  return status === "paid" || paidUnits >= dueUnits ? 0n : dueUnits - paidUnits;
}
