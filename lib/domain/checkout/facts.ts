import type { AddressKind } from "@/lib/domain/addresses/load";
import type { Brand } from "@/lib/domain/checkout/brand";
import type { QuotedMethod } from "@/lib/domain/checkout/choice";
import { unitsPerStep } from "@/lib/domain/money";
import { type Currency, getNetwork } from "@/lib/domain/networks";
import { type ChainHeight, type MerchantWait, requiredConfirmations } from "@/lib/domain/networks/finality";
import { maxDustUnits } from "@/lib/domain/orders/dust";
import {
  type CheckoutTerms,
  decimalsOf,
  type OrderException,
  type OrderPrice,
  type OrderStatus,
} from "@/lib/domain/orders/order";
import type { Lookup } from "@/lib/domain/transfers/lookup";
import { confirmationsAt, type TokenRef } from "@/lib/domain/transfers/transfer";

/** The time after which a network is shown as delayed if the scan has not reached the head of its chain. */
const DELAYED_AFTER_MS = 180_000;

/**
 * A transfer that was credited to no order but was clearly intended for this one: in a different currency, on a different network, or of a
 * token that is mistaken for the currency.
 */
export interface CheckoutMisdirected extends TokenRef {
  txId: string;
  baseUnits: bigint;
}

/** A transfer of the order that no reorg removed. */
export interface CheckoutTransfer extends CheckoutMisdirected {
  /** The height of the transfer's network; null before the first read. */
  head: ChainHeight | null;
  /** The confirmations that the merchant requires on the transfer's network; null: the network's default. */
  wait: MerchantWait | null;
  /** The amount that is credited toward the shown quote, in base units of that quote's token. */
  countedUnits: bigint;
  isConfirmed: boolean;
  blockHeight: number;
  blockTime: Date;
}

/** The scan state of the shown quote's network; null before the first scan. */
export interface CheckoutChain {
  head: ChainHeight | null;
  /** The confirmations that the merchant requires on this network; null: the network's default. */
  wait: MerchantWait | null;
  caughtUpAt: Date | null;
  hasProblem: boolean;
}

/** The stored facts of an order that its payment page needs. */
export interface CheckoutFacts {
  tradeId: string;
  mchOrderId: string;
  /** The merchant's name as shown to payers. */
  merchantName: string;
  brand: Brand;
  status: OrderStatus;
  exception: OrderException | null;
  version: number;
  /** The URL to which the payer returns once the order is paid; null if none. */
  returnUrl: string | null;
  /** The language tag that the merchant provided; null if none. */
  locale: string | null;
  /** The fiat price from which the amount was converted; null if the merchant set the amount. */
  price: OrderPrice | null;
  /** The merchant's description of the order. */
  subject: string | null;
  createdAt: Date;
  expiresAt: Date;
  extensions: number;
  paidAt: Date | null;
  quote: {
    network: string;
    currency: Currency;
    /** The contract of the requested token, in canonical form. */
    token: string;
    address: string;
    kind: AddressKind;
    baseUnits: bigint;
    reservedUntil: Date;
    isReleased: boolean;
    /**
     * The amount that requests the rest after too little arrived at a shared address, in base units, and the rest itself, which may be lower by
     * the digits that make the amount distinct; null if none is requested.
     */
    rest: { baseUnits: bigint; askedUnits: bigint } | null;
  };
  /** The payer's earlier selections, oldest first; each can settle the order. */
  otherQuotes: QuotedMethod[];
  /** True if the merchant can be paid on another network. */
  isElsewhereOpen: boolean;
  /** The terms that the merchant left to the payer; null if the merchant set network and currency. */
  checkout: CheckoutTerms | null;
  transfers: CheckoutTransfer[];
  misdirected: CheckoutMisdirected[];
  chain: CheckoutChain | null;
  /** The lookups of the transaction that the payer entered last, one for each network on which it may exist. */
  lookups: Lookup[];
}

/** Amounts in base units of the shown quote's token. */
export interface Sums {
  arrived: bigint;
  remaining: bigint;
  surplus: bigint;
}

/** The progress of a payment: confirmations, required confirmations, and the remaining time. */
export interface Progress {
  /** The name of the network that confirms the payment. */
  network: string;
  confirmations: number;
  required: number;
  secondsLeft: number;
}

/** Returns the arrived, missing and surplus amounts of the shown quote. Dust on a dedicated address does not count. */
export function sumsOf({ quote, transfers }: CheckoutFacts): Sums {
  const { baseUnits: due } = quote;
  const { rest } = quote;
  const dust = quote.kind === "dedicated" ? maxDustUnits(due, unitsPerStep(decimalsOf(quote))) : digitsOf(rest);
  const arrived = transfers.reduce((sum, transfer) => sum + transfer.countedUnits, 0n);
  if (arrived <= dust) return { arrived: 0n, remaining: due, surplus: 0n };
  if (arrived < due) return { arrived, remaining: rest?.baseUnits ?? due - arrived, surplus: 0n };
  return { arrived, remaining: 0n, surplus: arrived - due > dust ? arrived - due : 0n };
}

function digitsOf(rest: CheckoutFacts["quote"]["rest"]): bigint {
  return rest ? rest.baseUnits - rest.askedUnits : 0n;
}

/**
 * Returns the progress of the slowest transfer; null unless the order is confirming. Each transfer is measured by the finality rule and
 * the blocks of its own network, and by the merchant's requirement for that network.
 */
export function progressOf({ status, quote, transfers, chain }: CheckoutFacts): Progress | null {
  if (status !== "confirming") return null;
  const open = transfers.filter((transfer) => !transfer.isConfirmed);
  const [slowest] = open
    .map(progressOn)
    .sort((a, b) => b.secondsLeft - a.secondsLeft || a.confirmations - b.confirmations);
  const unseen = { head: chain?.head ?? null, wait: chain?.wait ?? null, blockHeight: 0 };
  return slowest ?? progressOn({ network: quote.network, ...unseen });
}

type Depth = Pick<CheckoutTransfer, "network" | "head" | "wait" | "blockHeight">;

/** Returns the progress of a block on its network. */
export function progressOn({ network: id, head, wait, blockHeight }: Depth): Progress {
  const network = getNetwork(id);
  const required = requiredConfirmations(network, head, wait);
  const confirmations = head ? Math.min(required, confirmationsAt(head.height, blockHeight)) : 0;
  const secondsLeft = Math.ceil(((required - confirmations) * (head?.blockMs ?? network.blockMs)) / 1000);
  return { network: network.name, confirmations, required, secondsLeft };
}

/** Returns true if the payment arrived after the expiry, by block time, as in the settlement of the order. */
export function isPaymentLate({ status, exception, transfers, expiresAt }: CheckoutFacts): boolean {
  if (status === "paid") return exception === "late";
  return status === "confirming" && transfers.some((transfer) => transfer.blockTime > expiresAt);
}

/**
 * Returns true if the page cannot show a new payment on the network immediately: the network has not been read up to its head for minutes,
 * has endpoint errors, or was never read.
 */
export function isDelayed(chain: CheckoutChain | null, now: Date): boolean {
  if (chain === null || chain.hasProblem || chain.caughtUpAt === null) return true;
  return now.getTime() - chain.caughtUpAt.getTime() > DELAYED_AFTER_MS;
}
