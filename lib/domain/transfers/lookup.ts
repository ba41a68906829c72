import type { AddressKind } from "@/lib/domain/addresses/load";
import { formatUnits } from "@/lib/domain/money";
import { type Currency, type Family, getNetwork, getToken } from "@/lib/domain/networks";
import { isLookAlike, knownTokens, type UnmatchedReason } from "@/lib/domain/transfers/transfer";

/**
 * The result of a payer's transaction lookup. A lookup never credits a transfer. `silent`: no node responded; `absent`: the nodes that
 * responded do not have the transaction (yet); `nothing`: it transferred nothing to the address of this order; `kept`: it reached the
 * merchant, and a user must decide; `early`: it is older than the order; `found`: it pays this order, and is being read or confirmed;
 * `counted`: it pays this order and is confirmed.
 */
export type LookupAnswer =
  | { kind: "silent" | "absent" | "failed" | "nothing" | "early" | "otherOrder" | "kept" | "found" | "counted" }
  /** The token with its display name; null if it is not in the table. */
  | { kind: "wrongToken"; name: string | null }
  /** `network` is an id. */
  | { kind: "wrongNetwork"; network: string }
  /** Decimal texts of the currency that was asked for. */
  | { kind: "amount"; arrived: string; due: string; isShort: boolean; currency: Currency };

/** The fields of a quote that a transaction is compared with. Token and address are in canonical form. */
export interface ComparedQuote {
  network: string;
  currency: Currency;
  token: string;
  address: string;
  kind: AddressKind;
  baseUnits: bigint;
  /** The creation time; the hold covers transfers from two minutes before it. */
  createdAt: Date;
  reservedUntil: Date;
}

/** A token movement within a transaction. Token and address are in canonical form. */
export interface Moved {
  token: string;
  to: string;
  baseUnits: bigint;
}

/** A transaction as one query of a chain returns it; the time is null if that query does not include it. */
export interface SeenTransaction {
  isSuccess: boolean;
  time: Date | null;
  transfers: readonly Moved[];
}

/**
 * A function that looks up a transaction on a chain. The result includes at least its transfers to `owners`; null if no endpoint has the
 * transaction.
 */
export type LookUp = (txId: string, owners: ReadonlySet<string>) => Promise<SeenTransaction | null>;

/** A transfer of the transaction in the ledger. */
export interface LedgerTransfer extends Moved {
  network: string;
  isConfirmed: boolean;
  orderId: string | null;
  meantOrderId: string | null;
  reason: UnmatchedReason | null;
}

const HEX = /(?:^|[^0-9a-z]|0x)([0-9a-f]{64})(?![0-9a-z])/i;
const BASE58 = /(?:^|[^0-9A-Za-z])([1-9A-HJ-NP-Za-km-z]{80,88})(?![0-9A-Za-z])/;
const LONGEST = 300;

/**
 * Returns the transaction id in pasted text, in the stored form of its family. The text is the id or an explorer's link. Null if it
 * contains no id.
 */
export function readTxId(family: Family, text: string): string | null {
  const found = (family === "solana" ? BASE58 : HEX).exec(text.slice(0, LONGEST))?.[1];
  if (found === undefined) return null;
  return family === "solana" ? found : `0x${found.toLowerCase()}`;
}

/** The time by which a block's timestamp may precede the creation of the quote that it pays. */
const STAMPED_EARLY_MS = 120_000;

/** Compares a transaction with the quotes of an order on its network; at least one is required. */
export function compareTransaction(quotes: readonly ComparedQuote[], seen: SeenTransaction): LookupAnswer {
  if (!seen.isSuccess) return { kind: "failed" };
  const pairs = quotes.flatMap((quote) =>
    seen.transfers.filter(({ to }) => to === quote.address).map((moved) => ({ quote, moved })),
  );
  const [first] = pairs;
  if (!first) return { kind: "nothing" };
  const { time } = seen;
  if (time && quotes.every(({ createdAt }) => time.getTime() < createdAt.getTime() - STAMPED_EARLY_MS))
    return { kind: "early" };
  const rightOnes = pairs.filter(({ quote, moved }) => moved.token === quote.token);
  if (rightOnes.length === 0) return { kind: "wrongToken", name: nameOf(first.quote.network, first.moved.token) };
  const pays = ({ quote, moved }: (typeof pairs)[number]) =>
    quote.kind === "dedicated" || moved.baseUnits === quote.baseUnits;
  const paid = rightOnes.filter(pays);
  // A transfer after the end of the hold is not credited to an order automatically.
  if (paid.length > 0) return { kind: paid.some(({ quote }) => isHeld(quote, time)) ? "found" : "kept" };
  const [nearest = first] = rightOnes.toSorted((a, b) => Number(distance(a) - distance(b)));
  return amountAnswer(nearest.quote, nearest.moved);
}

function isHeld({ reservedUntil }: ComparedQuote, time: Date | null): boolean {
  return time === null || time <= reservedUntil;
}

/** Returns the result of a transaction lookup from the ledger; null if the ledger is not sufficient and a chain must be queried. */
export function compareLedger(
  orderId: string,
  quotes: readonly ComparedQuote[],
  transfers: readonly LedgerTransfer[],
): LookupAnswer | null {
  const own = transfers.filter((one) => one.orderId === orderId);
  if (own.length > 0) return { kind: own.every(({ isConfirmed }) => isConfirmed) ? "counted" : "found" };
  const meant = transfers.find((one) => one.meantOrderId === orderId);
  if (meant) return unmatchedAnswer(quotes, meant);
  const unmatched = transfers.find((one) => one.orderId === null && one.meantOrderId === null);
  if (unmatched) return unmatchedAnswer(quotes, unmatched);
  return transfers.length > 0 ? { kind: "otherOrder" } : null;
}

/** Returns the result for a transfer that went to one of the merchant's addresses but is not credited to an order automatically. */
function unmatchedAnswer(quotes: readonly ComparedQuote[], transfer: LedgerTransfer): LookupAnswer {
  const here = quotes.filter(({ network }) => network === transfer.network);
  if (here.length === 0) return { kind: "wrongNetwork", network: transfer.network };
  const answer = compareTransaction(here, { isSuccess: true, time: null, transfers: [transfer] });
  // The amount is right but the transfer is unmatched, or it went to a different address of the merchant. In both cases a user decides.
  if (answer.kind === "nothing" || (answer.kind === "found" && transfer.reason !== null)) return { kind: "kept" };
  return answer;
}

function amountAnswer({ network, currency, baseUnits }: ComparedQuote, moved: Moved): LookupAnswer {
  const { decimals } = getToken(getNetwork(network), currency);
  const text = (units: bigint) => formatUnits(units, decimals);
  const isShort = moved.baseUnits < baseUnits;
  return { kind: "amount", arrived: text(moved.baseUnits), due: text(baseUnits), isShort, currency };
}

function distance({ quote, moved }: { quote: ComparedQuote; moved: Moved }): bigint {
  const apart = quote.baseUnits - moved.baseUnits;
  return apart < 0n ? -apart : apart;
}

/** Returns the name of a known token; null for an unknown one, because a token may choose any name. */
function nameOf(network: string, contract: string): string | null {
  const token = knownTokens(getNetwork(network)).get(contract);
  if (!token) return null;
  return isLookAlike(token) ? token.name : token.currency;
}

/** A lookup of a transaction on one network; without a result while pending. */
export interface Lookup {
  network: string;
  txId: string;
  askedAt: Date;
  answer: LookupAnswer | null;
}

/** The time after which no result is expected. */
const WAIT_MS = 60_000;
/**
 * The results in ascending order of information. Null stands for a pending lookup. Results that are not listed contain more information.
 */
const BY_RANK: readonly (LookupAnswer["kind"] | null)[] = ["silent", "absent", null, "nothing"];

/** The age below which a result of the same lookup is reused. */
const FRESH_MS = 10_000;

/** Returns true if the same transaction was looked up on the same networks so recently that no lookup needs to be repeated. */
export function areFresh(
  known: readonly Lookup[],
  asked: readonly Omit<Lookup, "askedAt" | "answer">[],
  now: Date,
): boolean {
  const isKnown = ({ network, txId }: Omit<Lookup, "askedAt" | "answer">) =>
    known.some(
      (one) => one.network === network && one.txId === txId && now.getTime() - one.askedAt.getTime() < FRESH_MS,
    );
  return asked.length > 0 && asked.every(isKnown);
}

/**
 * Returns the lookup with the most information, among those of one transaction on several networks; null without lookups.
 * @param own the networks where the order can be paid; for all other networks, only a found transfer is reported
 */
export function bestLookup(lookups: readonly Lookup[], own: ReadonlySet<string>, now: Date): Lookup | null {
  const timed = lookups.map((lookup): Lookup => {
    const hasTimedOut = lookup.answer === null && now.getTime() - lookup.askedAt.getTime() > WAIT_MS;
    return hasTimedOut ? { ...lookup, answer: { kind: "silent" } } : lookup;
  });
  const rank = ({ answer }: Lookup) => {
    const rankOf = BY_RANK.indexOf(answer?.kind ?? null);
    return rankOf < 0 ? BY_RANK.length : rankOf;
  };
  const reported = timed.filter((lookup) => own.has(lookup.network) || rank(lookup) === BY_RANK.length);
  return reported.toSorted((a, b) => rank(b) - rank(a))[0] ?? null;
}
