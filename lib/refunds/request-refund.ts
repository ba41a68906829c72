import type { Db } from "@/db/client";
import { isLiveKey } from "@/db/queries/merchants/api-keys";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import {
  findRefund,
  findRefundSettings,
  insertRefund,
  type RefundableFunds,
} from "@/db/queries/refunds/refund-requests";
import { newId } from "@/lib/domain/id";
import type { Echo, OrderIntegration } from "@/lib/domain/integration-id";
import { type Actor, mayChange, READ_ONLY } from "@/lib/domain/keys/role";
import { formatMicro } from "@/lib/domain/money";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { fiatToMicro, fiatUnits } from "@/lib/domain/refunds/amounts";
import { MAX_REFUNDS_OF_SUBJECT, type Refund, type RefundPrice, type RefundSubject } from "@/lib/domain/refunds/refund";
import { AppError } from "@/lib/errors";
import { deadKey } from "@/lib/merchants/api-keys";
import type { Caller } from "@/lib/orders/create-order";
import { touchOrders } from "@/lib/orders/move-order";
import { lockRefundable, type Refundable } from "@/lib/refunds/refundable";

/** The amount of a refund as it is requested: tokens in millionths, fiat as a decimal string, or everything that is left. */
export type RequestedAmount = { microUnits: bigint } | { fiatAmount: string } | "all";

/** The terms of a refund. */
export interface RefundTermsRequest {
  subject: RefundSubject;
  amount: RequestedAmount;
  reason: string | null;
  email: string | null;
  mchRefundId: string | null;
  expiresInSeconds: number;
  /** The data that an integration stores with the refund. */
  echo?: Echo;
}

/** The plugin of a shop that requests a refund. */
interface PluginActor {
  merchantId: string;
  integration: Exclude<OrderIntegration, "api">;
}

/** A refund that was requested. */
export interface RequestedRefund {
  refund: Refund;
  /** The merchant's number of the order; null if the refund is for a transfer. */
  mchOrderId: string | null;
  /** True if an earlier request with the same `mchRefundId` created it. */
  isReplayed: boolean;
}

/**
 * Requests a refund of an order that received money, or of a transfer that credits no order. Its claim link can be sent to the customer.
 * Requests for one order are processed one after another, so that their sum never exceeds what is left. A repeated request with the same
 * `mchRefundId` and terms returns the same refund.
 * @throws AppError 10002 the key is no longer valid; 10003 the order does not exist; 10004 nothing or less is left, or the number was used
 * with other terms; 10001 the amount or the email address does not fit the order
 */
export async function requestRefund(
  db: Db,
  actor: Actor | Caller | PluginActor,
  terms: RefundTermsRequest,
  now: Date,
): Promise<RequestedRefund> {
  if ("role" in actor && !mayChange(actor.role)) throw new AppError(READ_ONLY);
  return db.transaction(async (tx) => {
    if ("apiKeyId" in actor && !(await isLiveKey(tx, actor.apiKeyId, now))) throw deadKey();
    const { merchantId } = actor;
    const refundable = await lockRefundable(tx, merchantId, terms.subject);
    if (!refundable)
      throw new AppError(problem(terms.subject.orderId === null ? "refund_transfer_unknown" : "refund_order_unpaid"));
    const { mchOrderId } = refundable.funds;
    const integration = "integration" in actor ? actor.integration : "api";
    const earlier = terms.mchRefundId === null ? null : await findEarlier(tx, merchantId, integration, terms);
    if (earlier) return { refund: earlier, mchOrderId, isReplayed: true };
    const { email, mchRefundId, reason, subject } = terms;
    const { claimCheck } = await findRefundSettings(tx, merchantId);
    if (claimCheck === "email" && email === null) throw new AppError(problem("refund_email_missing"));
    const chosen = chooseAmount(refundable, terms.amount);
    if ("problem" in chosen) throw new AppError(chosen.problem);
    const id = newId(now);
    const isNew = await insertRefund(
      tx,
      {
        id,
        merchantId,
        ...subject,
        apiKeyId: "apiKeyId" in actor ? actor.apiKeyId : null,
        requestedBy: "role" in actor ? actor.userId : null,
        mchRefundId,
        integration,
        echo: terms.echo ?? null,
        currency: refundable.funds.currency,
        microUnits: chosen.microUnits,
        price: chosen.price,
        reason,
        email,
        expiresAt: new Date(now.getTime() + terms.expiresInSeconds * 1_000),
      },
      now,
    );
    // Only a request for another order can use the number at the same time, because requests for one order wait for each other.
    if (!isNew) throw new AppError(problem("refund_number_used", { mchRefundId: mchRefundId ?? "" }));
    const detail = { refundId: id, amount: formatMicro(chosen.microUnits), currency: refundable.funds.currency };
    const by = "role" in actor ? { userId: actor.userId, from: actor.from } : {};
    await insertAuditEvent(
      tx,
      { merchantId, orderId: subject.orderId, action: "refund.requested", detail, ...by },
      now,
    );
    if (subject.orderId !== null) await touchOrders(tx, [subject.orderId], now);
    const refund = await findRefund(tx, merchantId, { id });
    if (!refund) throw new Error(`The refund ${id} was inserted and cannot be read`);
    return { refund, mchOrderId, isReplayed: false };
  });
}

/** Finds the refund of an earlier request with the same number. @throws AppError 10004 if the terms differ */
async function findEarlier(
  tx: Db,
  merchantId: string,
  integration: OrderIntegration,
  { mchRefundId, subject, amount, reason }: RefundTermsRequest,
): Promise<Refund | null> {
  if (mchRefundId === null) return null;
  const refund = await findRefund(tx, merchantId, { mchRefundId, integration });
  if (!refund) return null;
  const isSameAmount =
    amount === "all" ||
    ("microUnits" in amount ? amount.microUnits === refund.microUnits : isSameFiat(refund.price, amount.fiatAmount));
  const isSameSubject = refund.orderId === subject.orderId && refund.transferId === subject.transferId;
  if (isSameAmount && isSameSubject && refund.reason === reason) return refund;
  throw new AppError(problem("refund_terms_differ", { mchRefundId }));
}

function isSameFiat(price: RefundPrice | null, amount: string): boolean {
  return price !== null && fiatUnits(price.amount, price.fiat) === fiatUnits(amount, price.fiat);
}

type ChosenAmount = { microUnits: bigint; price: RefundPrice | null } | { problem: Problem };

function chooseAmount({ funds, count, leftMicro, leftFiat }: Refundable, amount: RequestedAmount): ChosenAmount {
  const { currency } = funds;
  if (count >= MAX_REFUNDS_OF_SUBJECT) return { problem: problem("refunds_too_many", { max: MAX_REFUNDS_OF_SUBJECT }) };
  if (leftMicro <= 0n) return { problem: problem("refund_nothing_left") };
  if (amount === "all") return { microUnits: leftMicro, price: null };
  if ("microUnits" in amount)
    return amount.microUnits <= leftMicro
      ? { microUnits: amount.microUnits, price: null }
      : {
          problem: problem("refund_too_large", {
            given: formatMicro(amount.microUnits),
            left: formatMicro(leftMicro),
            currency,
          }),
        };
  return fiatAmountOf(funds, { leftMicro, leftFiat }, amount.fiatAmount);
}

/** Converts a fiat amount at the rate of its order. The last fiat refund of a price is capped at the tokens that are left. */
function fiatAmountOf(
  { price, currency }: RefundableFunds,
  { leftMicro, leftFiat }: Pick<Refundable, "leftMicro" | "leftFiat">,
  fiatAmount: string,
): ChosenAmount {
  if (price === null || leftFiat === null) return { problem: problem("refund_without_fiat") };
  const { fiat } = price;
  const units = fiatUnits(fiatAmount, fiat);
  const microUnits = fiatToMicro(fiatAmount, price);
  if (units === null || microUnits === null)
    return { problem: problem("refund_fiat_malformed", { given: fiatAmount, fiat }) };
  const leftUnits = fiatUnits(leftFiat, fiat) ?? 0n;
  if (units > leftUnits)
    return { problem: problem("refund_too_large", { given: fiatAmount, left: leftFiat, currency: fiat }) };
  if (microUnits > leftMicro)
    return {
      problem: problem("refund_too_large_in_tokens", {
        given: fiatAmount,
        fiat,
        left: formatMicro(leftMicro),
        currency,
      }),
    };
  return { microUnits, price: { fiat, amount: fiatAmount } };
}
