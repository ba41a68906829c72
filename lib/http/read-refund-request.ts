import type { RefundNames } from "@/db/queries/refunds/refund-requests";
import { REFUND_ADD, REFUND_LIST, REFUND_NAMES } from "@/lib/domain/api/refund-requests";
import { NO_RULES } from "@/lib/domain/fields/field";
import type { JsonObject } from "@/lib/domain/fields/json-value";
import { fieldError, type Problem, problem } from "@/lib/domain/problems/problem";
import type { RefundStatus } from "@/lib/domain/refunds/refund";
import { AppError } from "@/lib/errors";
import type { OrderNames } from "@/lib/http/read-order-request";
import { requestReader } from "@/lib/http/read-request";
import type { RefundTermsRequest } from "@/lib/refunds/request-refund";

const readAdd = requestReader(REFUND_ADD);
const readNames = requestReader(REFUND_NAMES);
const readList = requestReader(REFUND_LIST);

/** The body of refund/add: the names of the order, and the terms of the refund. */
export interface RefundRequest {
  order: OrderNames;
  terms: Omit<RefundTermsRequest, "subject">;
}

/**
 * Reads the body of refund/add.
 * @throws AppError 10001 that lists every invalid field
 */
export function readRefundRequest(body: JsonObject): RefundRequest {
  const fields = readAdd(body, NO_RULES);
  const { trade_id: tradeId, mch_order_id: mchOrderId, amount, fiat_amount: fiatAmount } = fields;
  if (tradeId === null && mchOrderId === null) throw missing(["trade_id", "mch_order_id"], problem("order_id_missing"));
  const chosen = amount === null ? (fiatAmount === null ? "all" : { fiatAmount }) : { microUnits: amount };
  return {
    order: { ...(tradeId !== null && { tradeId }), ...(mchOrderId !== null && { mchOrderId }) },
    terms: {
      amount: chosen,
      reason: fields.reason,
      email: fields.email,
      mchRefundId: fields.mch_refund_id,
      expiresInSeconds: fields.expires_in,
    },
  };
}

/**
 * Reads the body of refund/detail and refund/cancel.
 * @throws AppError 10001 if neither id is given, or one has an invalid format
 */
export function readRefundNames(body: JsonObject): RefundNames {
  const { refund_id: id, mch_refund_id: mchRefundId } = readNames(body, NO_RULES);
  if (id !== null) return { id };
  if (mchRefundId === null) throw missing(["refund_id", "mch_refund_id"], problem("refund_id_missing"));
  return { mchRefundId, integration: "api" };
}

/** The filter of refund/list. */
export interface RefundListRequest {
  status: RefundStatus | null;
  orderId: string | null;
  cursor: string | null;
  limit: number;
}

/**
 * Reads the body of refund/list.
 * @throws AppError 10001 that lists every invalid field
 */
export function readRefundSearch(body: JsonObject): RefundListRequest {
  const { status, trade_id: orderId, cursor, limit } = readList(body, NO_RULES);
  return { status, orderId, cursor, limit };
}

function missing(fields: readonly string[], absent: Problem): AppError {
  return new AppError(absent, { errors: fields.map((field) => fieldError(field, absent)) });
}
