import type { Db } from "@/db/client";
import {
  findOrderFunds,
  findRefundSettings,
  findTransferFunds,
  listRecordedRefunds,
  listRefundsOf,
  type RefundableFunds,
  sumRefunds,
} from "@/db/queries/refunds/refund-requests";
import { fiatUnits, formatFiat, toMicro } from "@/lib/domain/refunds/amounts";
import { type RefundSubject, refundableMicro } from "@/lib/domain/refunds/refund";

/** The amount of an order or a transfer that can still be refunded. */
export interface Refundable {
  funds: RefundableFunds;
  /** The number of refunds that are neither cancelled nor expired. */
  count: number;
  /** In millionths of the currency. A negative amount is more than was received: a reorg removed a payment. */
  leftMicro: bigint;
  /** The fiat amount that can still be refunded in fiat, as a decimal string; null without a fiat price. */
  leftFiat: string | null;
}

/**
 * Locks an order or a transfer, and computes what is left to refund of it: what it received, less the refunds that are neither cancelled
 * nor expired, and less the final refund transactions that users recorded by their ids.
 * @returns null if the merchant has no such order or transfer, or it cannot be refunded
 */
export function lockRefundable(tx: Db, merchantId: string, subject: RefundSubject): Promise<Refundable | null> {
  return compute(tx, merchantId, subject, true);
}

/** Computes what is left to refund like `lockRefundable`, for display, without locking anything. */
export function findRefundable(db: Db, merchantId: string, subject: RefundSubject): Promise<Refundable | null> {
  return compute(db, merchantId, subject, false);
}

/**
 * Returns how much more than its amount an order received, in millionths of the currency; 0n if it received less, or if the excess is no
 * longer left to refund.
 */
export function excessMicro({ funds, leftMicro }: Refundable): bigint {
  const excess = toMicro(funds.network, funds.currency, funds.receivedUnits - funds.askedUnits);
  return excess > 0n && excess <= leftMicro ? excess : 0n;
}

/** The refunds of an order or a transfer, with what is left to refund. */
export interface RefundsOfSubject {
  refunds: Awaited<ReturnType<typeof listRefundsOf>>;
  refundable: Refundable | null;
  /** True if customers must enter their email address before a claim, so that each refund needs one. */
  needsEmail: boolean;
}

/** Returns the refunds of an order or a transfer of a merchant, for display. */
export async function readRefundsOf(db: Db, merchantId: string, subject: RefundSubject): Promise<RefundsOfSubject> {
  const [refunds, refundable, { claimCheck }] = await Promise.all([
    listRefundsOf(db, merchantId, subject),
    findRefundable(db, merchantId, subject),
    findRefundSettings(db, merchantId),
  ]);
  return { refunds, refundable, needsEmail: claimCheck === "email" };
}

async function compute(
  db: Db,
  merchantId: string,
  subject: RefundSubject,
  isLocking: boolean,
): Promise<Refundable | null> {
  const funds =
    subject.orderId === null
      ? await findTransferFunds(db, merchantId, subject.transferId, { isLocking })
      : await findOrderFunds(db, merchantId, subject.orderId, { isLocking });
  if (!funds) return null;
  const { count, microUnits, prices } = await sumRefunds(db, merchantId, subject);
  const recorded = await listRecordedRefunds(db, merchantId, subject);
  const leftMicro = refundableMicro({
    received: toMicro(funds.network, funds.currency, funds.receivedUnits),
    requested: microUnits,
    recorded: recorded.reduce((sum, one) => sum + toMicro(one.network, one.currency, one.baseUnits), 0n),
  });
  return { funds, count, leftMicro, leftFiat: funds.price && leftFiatOf(funds.price, prices) };
}

/** Returns a fiat price less the amounts that were requested in fiat, as a decimal string. */
function leftFiatOf(price: { fiat: string; amount: string }, requested: readonly { amount: string }[]): string {
  const sum = requested.reduce((total, { amount }) => total + (fiatUnits(amount, price.fiat) ?? 0n), 0n);
  const left = (fiatUnits(price.amount, price.fiat) ?? 0n) - sum;
  return formatFiat(left > 0n ? left : 0n, price.fiat);
}
