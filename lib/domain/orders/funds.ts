import { rescaleUnits } from "@/lib/domain/money";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { type TokenRef, tokenOf } from "@/lib/domain/networks/token";
import type { Funds } from "@/lib/domain/orders/order";

/** A transfer as the sum of an order sees it; dropped ones are left out by the caller. */
export interface FundsTransfer {
  id: string;
  quoteId: string;
  /** Of the quote's token. */
  baseUnits: bigint;
  isConfirmed: boolean;
  isAssigned: boolean;
  /** Block time, or when it was seen where a chain's clock runs ahead. */
  paidAt: Date;
}

interface FundsQuote {
  id: string;
  baseUnits: bigint;
}

/** What arrived for one quote of an order: that quote decides, because each quote alone can settle its order. */
export interface QuoteFunds {
  quoteId: string;
  dueUnits: bigint;
  funds: Funds;
  /** The transfer with which the confirmed sum reached the amount; null before. */
  settledBy: string | null;
  /** The earliest that is confirmed; null before. */
  firstConfirmed: string | null;
}

/**
 * The funds of the quote that is nearest to settling the order: most of its amount confirmed, then most arrived;
 * the first of `quotes` (the one shown to the payer) when nothing arrived.
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
  const completing = firstReaching(inTime, quote.baseUnits);
  const confirmed = inTime.filter((transfer) => transfer.isConfirmed);
  return {
    quoteId: quote.id,
    dueUnits: quote.baseUnits,
    settledBy: firstReaching(confirmed, quote.baseUnits)?.id ?? null,
    firstConfirmed: confirmed[0]?.id ?? null,
    funds: {
      arrivedUnits: sum(transfers),
      confirmedUnits: sum(confirmed),
      isLate: completing !== undefined && completing.paidAt > expiresAt,
      isAssigned: isReachedByHand(transfers, quote.baseUnits),
    },
  };
}

/** What the order got by itself decides: a transfer that a person adds to an order that is paid already changes nothing. */
function isReachedByHand(transfers: readonly FundsTransfer[], dueUnits: bigint): boolean {
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

/** Compares shares of the amounts due, because quotes can be in tokens of different decimals. */
function isAhead(left: QuoteFunds, right: QuoteFunds): boolean {
  const confirmed = compareShares(left.funds.confirmedUnits, left.dueUnits, right.funds.confirmedUnits, right.dueUnits);
  return (
    confirmed > 0n ||
    (confirmed === 0n &&
      compareShares(left.funds.arrivedUnits, left.dueUnits, right.funds.arrivedUnits, right.dueUnits) > 0n)
  );
}

function compareShares(left: bigint, leftDue: bigint, right: bigint, rightDue: bigint): bigint {
  return left * rightDue - right * leftDue;
}

interface TokenName {
  network: string;
  currency: string;
}

/**
 * What a transfer counts for a quote, in base units of the quote's token. A person may assign a transfer of another token:
 * one unit of it counts as one unit of the quote's, to the last digit that both tokens have.
 */
export function creditedUnits(transfer: TokenRef & { baseUnits: bigint }, quote: TokenName): bigint {
  return rescaleUnits(transfer.baseUnits, tokenOf(transfer).decimals, decimalsOf(quote));
}

/** Decimals of a token that our own rows hold. */
export function decimalsOf({ network, currency }: TokenName): number {
  return getToken(getNetwork(network), currency).decimals;
}
