import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import type { ProblemCode } from "@/lib/domain/problems/problem";
import type { Refund } from "@/lib/domain/refunds/refund";
import { AppError, invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { namedRefusal } from "@/lib/integrations/greenfield/failure";
import { type RefundTermsRequest, requestRefund } from "@/lib/refunds/request-refund";

type Terms = Pick<RefundTermsRequest, "amount" | "reason" | "expiresInSeconds" | "echo">;

/** The problems with the amount of a refund. */
const AMOUNT_PROBLEMS: readonly ProblemCode[] = [
  "refund_too_large",
  "refund_too_large_in_tokens",
  "refund_fiat_malformed",
];

/** The problems of an order of which nothing can be refunded. */
const NOTHING_TO_REFUND: readonly ProblemCode[] = ["refund_order_unpaid", "refund_nothing_left", "refunds_too_many"];

/**
 * Requests a refund of an invoice. The email address of the buyer in its metadata is stored with the refund, for the check before a claim.
 * @param field the field of the request that contains the amount
 * @throws AppError 10001 naming that field if the amount is more than what is left; `non-refundable` if nothing is left
 */
export async function requestOrderRefund(
  { pool }: ApiContext,
  { id, merchantId, metadata }: OrderDetail,
  terms: Terms,
  now: Date,
  field: string,
): Promise<Refund> {
  const actor = { merchantId, integration: "greenfield" };
  const subject = { orderId: id, transferId: null };
  const request = { ...terms, subject, email: buyerEmail(metadata), mchRefundId: null };
  try {
    return (await requestRefund(pool.db, actor, request, now)).refund;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (AMOUNT_PROBLEMS.includes(error.problem.code)) throw invalidField(field, error.problem);
    if (NOTHING_TO_REFUND.includes(error.problem.code)) throw namedRefusal("non-refundable", error.problem);
    throw error;
  }
}

function buyerEmail(metadata: string | null): string | null {
  if (metadata === null) return null;
  const { buyerEmail: email } = JSON.parse(metadata) as Record<string, unknown>;
  return typeof email === "string" && /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email) ? email : null;
}
