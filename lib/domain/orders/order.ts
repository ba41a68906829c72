import { rescaleUnits } from "@/lib/domain/money";
import { type Currency, getNetwork, getToken } from "@/lib/domain/networks";
import { type TokenRef, tokenOf } from "@/lib/domain/transfers/transfer";

export const ORDER_STATUSES = ["pending", "confirming", "paid", "expired", "cancelled"] as const;
/** The fiat price of an order, with its rate, as stored. */
export interface OrderPrice {
  /** ISO 4217 code. */
  fiat: string;
  /** Decimal text. */
  amount: string;
  /** The token that the rate is for, and the price of one token as decimal text. */
  currency: Currency;
  rate: string;
  /** The names of the sources that determined the rate, or "fixed". */
  source: string;
  /** The time when the rate was read or set, ISO 8601. */
  at: string;
}

/** The terms of an order whose payer selects network and currency, as stored. */
export interface CheckoutTerms {
  /** The id of the network; null if the payer selects it. The same applies to the currency. */
  network: string | null;
  currency: Currency | null;
  /** The amount as decimal text, in the token that is selected; null if a price is given. */
  amount: string | null;
  /** The fiat price, converted when the token is selected; null if the amount is given. */
  price: Pick<OrderPrice, "fiat" | "amount"> | null;
}

export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const ORDER_EXCEPTIONS = ["underpaid", "overpaid", "late", "manual"] as const;
export type OrderException = (typeof ORDER_EXCEPTIONS)[number];

/** The state of an order, as the status rules use it. Amounts are base units of the order's token. */
export interface OrderState {
  status: OrderStatus;
  exception: OrderException | null;
  dueUnits: bigint;
  /** The sum that counts as paid in full; absent: the whole amount. */
  minUnits?: bigint;
  /** The largest sum or excess that sets no exception (`dust.ts`); absent: none. */
  maxDustUnits?: bigint;
  expiresAt: Date;
}

const enoughFor = ({ dueUnits, minUnits = dueUnits }: { dueUnits: bigint; minUnits?: bigint }) => minUnits;

/** The sum of an order's transfers that no reorg removed. */
export interface Funds {
  /** The sum of transfers that are seen or confirmed. */
  arrivedUnits: bigint;
  confirmedUnits: bigint;
  /** True if the transfer that completes the amount has a block time after the expiry. */
  isLate: boolean;
  /** True if the amount is reached only with transfers that a user assigned, or if a user marked the order as paid. */
  isAssigned: boolean;
}

export type OrderEvent =
  | { type: "fundsChanged"; funds: Funds; now: Date }
  | { type: "timePassed"; now: Date }
  /** "renewed": an integration asks once more for an order that nothing came for. */
  | { type: "cancelled" | "markedPaid" | "renewed" };

/** The status graph of specification §5: the statuses that can follow each status. */
export const ORDER_GRAPH: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending: ["confirming", "expired", "cancelled"],
  confirming: ["paid", "pending", "expired"],
  paid: [],
  expired: ["confirming", "pending"],
  cancelled: ["confirming"],
};

/**
 * Returns the next status after an event, or null if the status does not change. Each call follows one edge of the graph: a transfer that
 * is final when it is first seen needs two calls, confirming and then paid.
 */
export function nextStatus(order: OrderState, event: OrderEvent): OrderStatus | null {
  switch (order.status) {
    case "pending":
      if (event.type === "cancelled") return "cancelled";
      if (event.type === "timePassed") return event.now >= order.expiresAt ? "expired" : null;
      return isCovered(order, event) ? "confirming" : null;
    case "expired":
      if (event.type === "renewed") return "pending";
      return isCovered(order, event) ? "confirming" : null;
    case "confirming":
      if (event.type === "markedPaid") return "paid";
      if (event.type !== "fundsChanged") return null;
      if (event.funds.confirmedUnits >= enoughFor(order)) return "paid";
      if (event.funds.arrivedUnits >= enoughFor(order)) return null;
      return event.now >= order.expiresAt ? "expired" : "pending";
    case "cancelled":
      return event.type === "markedPaid" || isCoveredManually(order, event) ? "confirming" : null;
    case "paid":
      return null;
  }
}

/** Returns the exception for the funds that have arrived. `status` is the order's status after the event. */
export function nextException(order: OrderState, status: OrderStatus, funds: Funds): OrderException | null {
  const { maxDustUnits = 0n } = order;
  const isShort = funds.arrivedUnits < enoughFor(order);
  if (status !== "paid" && isShort) return funds.arrivedUnits > maxDustUnits ? "underpaid" : null;
  if (funds.isAssigned) return "manual";
  if (funds.confirmedUnits > order.dueUnits + maxDustUnits) return "overpaid";
  if (status !== "paid") return null;
  if (order.status === "paid" && order.exception === "manual") return "manual";
  return funds.isLate ? "late" : null;
}

function isCovered(order: OrderState, event: OrderEvent): boolean {
  if (event.type === "markedPaid") return true;
  return event.type === "fundsChanged" && order.dueUnits > 0n && event.funds.arrivedUnits >= enoughFor(order);
}

/**
 * Returns true if a user assigned transfers that cover the order. Transfers that arrive later never pay a cancelled order automatically,
 * but a user can still assign them.
 */
function isCoveredManually(order: OrderState, event: OrderEvent): boolean {
  return event.type === "fundsChanged" && event.funds.isAssigned && isCovered(order, event);
}

/** A transfer that counts toward the sum of an order. The caller omits dropped transfers. */
export interface FundsTransfer {
  id: string;
  quoteId: string;
  /** The amount in base units of the quote's token. */
  baseUnits: bigint;
  isConfirmed: boolean;
  isAssigned: boolean;
  /** The block time, or the time when the transfer was seen if the chain's clock runs ahead. */
  paidAt: Date;
}

interface FundsQuote {
  id: string;
  baseUnits: bigint;
  /** The sum that counts as paid in full, if the merchant set a tolerance; absent: the whole amount. */
  minUnits?: bigint;
  /** The largest sum that counts as dust, if the order has a dedicated address; absent: none. */
  maxDustUnits?: bigint;
  /**
   * True if the order's terms have changed since the quote was created. The quote's transfers then count toward the new terms by value,
   * and the quote cannot settle the order.
   */
  isSuperseded?: boolean;
  /**
   * The id of the quote whose missing amount this quote requests. Transfers to this quote count toward that one, and this quote cannot settle
   * the order.
   */
  completesQuoteId?: string | null;
}

/** The funds of the quote that determines the order's status; each quote can settle its order on its own. */
export interface QuoteFunds {
  /** Null if the payer has not selected a method. */
  quoteId: string | null;
  dueUnits: bigint;
  minUnits: bigint;
  maxDustUnits: bigint;
  funds: Funds;
  /** The transfer with which the confirmed sum reached the amount; null before. */
  settledBy: string | null;
  /** The earliest transfer that is confirmed and more than dust; null before. */
  firstConfirmed: string | null;
  /** The number of confirmed transfers, without dust. */
  confirmedParts: number;
}

const NOTHING: Funds = { arrivedUnits: 0n, confirmedUnits: 0n, isLate: false, isAssigned: false };
/** The funds of an order whose payer has not selected a method. */
export const NOTHING_DUE: QuoteFunds = {
  quoteId: null,
  dueUnits: 0n,
  minUnits: 0n,
  maxDustUnits: 0n,
  settledBy: null,
  firstConfirmed: null,
  confirmedParts: 0,
  funds: NOTHING,
};

/**
 * Returns the funds of an order for the quote that determines its status. A paid order stays paid by the quote that settled it, and
 * transfers for its other quotes are an excess.
 * @param arrived transfers with amounts in base units of their own tokens
 */
export function heldFunds(
  { quoteId, status, expiresAt }: Pick<OrderState, "status" | "expiresAt"> & { quoteId: string | null },
  all: readonly (FundsQuote & TokenName)[],
  arrived: readonly (FundsTransfer & TokenRef)[],
): QuoteFunds {
  const quotes = all.filter(({ isSuperseded, completesQuoteId }) => !isSuperseded && !completesQuoteId);
  const past = new Set(all.flatMap(({ id, isSuperseded }) => (isSuperseded ? [id] : [])));
  const completed = new Map(all.map(({ id, completesQuoteId }) => [id, completesQuoteId ?? id]));
  const transfers = arrived.map((one) => {
    const paid = completed.get(one.quoteId) ?? one.quoteId;
    return { ...one, quoteId: past.has(paid) && quoteId ? quoteId : paid };
  });
  const shownFirst = quotes.toSorted((a, b) => Number(b.id === quoteId) - Number(a.id === quoteId));
  const countFor = (quote: FundsQuote & TokenName) => (transfer: FundsTransfer & TokenRef) => {
    return { ...transfer, baseUnits: creditedUnits(transfer, quote) };
  };
  const own = quotes.flatMap((quote) => transfers.filter((one) => one.quoteId === quote.id).map(countFor(quote)));
  const shown = leadingFunds(shownFirst.slice(0, 1), own, expiresAt);
  const held = status === "paid" && isCoveredBy(shown) ? shown : leadingFunds(shownFirst, own, expiresAt);
  const leading = quotes.find(({ id }) => id === held.quoteId);
  if (!leading || !isCoveredBy(held)) return held;
  const others = transfers.filter((one) => one.quoteId !== leading.id).map(countFor(leading));
  const arrivedUnits = held.funds.arrivedUnits + sum(others);
  const confirmedUnits = held.funds.confirmedUnits + sum(others.filter(({ isConfirmed }) => isConfirmed));
  return { ...held, funds: { ...held.funds, arrivedUnits, confirmedUnits } };
}

function isCoveredBy({ funds, minUnits }: QuoteFunds): boolean {
  return funds.confirmedUnits >= minUnits;
}

/**
 * Returns the funds of the quote that is closest to settling the order. A quote whose whole amount is confirmed comes first, then one
 * whose whole amount has arrived, then the largest confirmed share, then the largest arrived share. If no transfer arrived, it is the
 * first of `quotes`, which is shown to the payer.
 */
export function leadingFunds(
  quotes: readonly FundsQuote[],
  transfers: readonly FundsTransfer[],
  expiresAt: Date,
): QuoteFunds {
  const candidates = quotes.map((quote) =>
    sumQuote(
      quote,
      transfers.filter((transfer) => transfer.quoteId === quote.id),
      expiresAt,
    ),
  );
  const [first, ...others] = candidates;
  if (!first) throw new Error("An order without a quote cannot be paid");
  return others.reduce((best, next) => (isAhead(next, best) ? next : best), first);
}

function sumQuote(quote: FundsQuote, transfers: readonly FundsTransfer[], expiresAt: Date): QuoteFunds {
  const inTime = [...transfers].sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime());
  const { minUnits = quote.baseUnits, maxDustUnits = 0n } = quote;
  const completing = firstReaching(inTime, minUnits);
  const confirmed = inTime.filter((transfer) => transfer.isConfirmed);
  return {
    quoteId: quote.id,
    dueUnits: quote.baseUnits,
    minUnits,
    maxDustUnits,
    settledBy: firstReaching(confirmed, minUnits)?.id ?? null,
    firstConfirmed: confirmed.find(({ baseUnits }) => baseUnits > maxDustUnits)?.id ?? null,
    confirmedParts: confirmed.filter(({ baseUnits }) => baseUnits > maxDustUnits).length,
    funds: {
      arrivedUnits: sum(transfers),
      confirmedUnits: sum(confirmed),
      isLate: completing !== undefined && completing.paidAt > expiresAt,
      isAssigned: isReachedManually(transfers, minUnits),
    },
  };
}

/** Returns true if manual assignments completed the amount. A transfer that a user adds to a paid order does not change the result. */
function isReachedManually(transfers: readonly FundsTransfer[], dueUnits: bigint): boolean {
  const own = transfers.filter((transfer) => !transfer.isAssigned);
  return sum(transfers) >= dueUnits && sum(own) < dueUnits;
}

function firstReaching(transfers: readonly FundsTransfer[], dueUnits: bigint): FundsTransfer | undefined {
  let total = 0n;
  return transfers.find((transfer) => {
    total += transfer.baseUnits;
    return total >= dueUnits;
  });
}

function sum(transfers: readonly FundsTransfer[]): bigint {
  return transfers.reduce((total, transfer) => total + transfer.baseUnits, 0n);
}

/**
 * Returns true if the left quote is closer to settling the order. It compares shares of the amounts due, because quotes can be in tokens
 * with different decimals. Dust does not count.
 */
function isAhead(left: QuoteFunds, right: QuoteFunds): boolean {
  const covered = coverage(left) - coverage(right);
  if (covered !== 0) return covered > 0;
  const confirmed = compareShares(left, right, "confirmedUnits");
  return confirmed > 0n || (confirmed === 0n && compareShares(left, right, "arrivedUnits") > 0n);
}

/** Returns 2 if the whole amount is confirmed, 1 if it has arrived, 0 otherwise. */
function coverage({ funds, minUnits }: QuoteFunds): number {
  if (funds.confirmedUnits >= minUnits) return 2;
  return funds.arrivedUnits >= minUnits ? 1 : 0;
}

function compareShares(left: QuoteFunds, right: QuoteFunds, name: "confirmedUnits" | "arrivedUnits"): bigint {
  const weight = ({ funds, maxDustUnits }: QuoteFunds) => (funds[name] > maxDustUnits ? funds[name] : 0n);
  return weight(left) * right.dueUnits - weight(right) * left.dueUnits;
}

/**
 * Returns true if more than dust arrived for a quote of an order. The order then cannot be cancelled by a program, and its payer cannot
 * extend, renew or switch it.
 * @param arrived transfers with amounts in base units of their own tokens
 */
export function hasMoreThanDust(
  quotes: readonly (FundsQuote & TokenName)[],
  arrived: readonly (FundsTransfer & TokenRef)[],
): boolean {
  return quotes.some((quote) => {
    const own = arrived.filter(({ quoteId }) => quoteId === quote.id);
    const units = own.reduce((total, transfer) => total + creditedUnits(transfer, quote), 0n);
    return units > (quote.maxDustUnits ?? 0n);
  });
}

interface TokenName {
  network: string;
  currency: string;
}

/**
 * Returns the amount that a transfer contributes to a quote, in base units of the quote's token. A user may assign a transfer of a
 * different token. It is credited 1:1, truncated to the decimals that both tokens have.
 */
export function creditedUnits(transfer: TokenRef & { baseUnits: bigint }, quote: TokenName): bigint {
  return rescaleUnits(transfer.baseUnits, tokenOf(transfer).decimals, decimalsOf(quote));
}

/** Returns the decimals of a token that a stored row uses. */
export function decimalsOf({ network, currency }: TokenName): number {
  return getToken(getNetwork(network), currency).decimals;
}

/**
 * Returns the end of the hold on the shared quote that settled an order: the order's expiry, or `holdSeconds` after the payment if that is
 * later. A payer who pays twice does so soon. The end is always after `paidAt`, so that the hold covers everything sent before.
 */
export function settledHoldEnd(expiresAt: Date, paidAt: Date, holdSeconds: number): Date {
  return new Date(Math.max(expiresAt.getTime(), paidAt.getTime() + holdSeconds * 1_000));
}
