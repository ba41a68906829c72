import type { OrderStatus } from "@/lib/domain/orders/order";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { type Showing, toDetailData } from "@/lib/domain/orders/order-wire";
import type { ApiCode } from "@/lib/domain/problems/api-codes";
import { AppError } from "@/lib/errors";
import { EPUSDT_STATUS } from "@/lib/integrations/epusdt/callbacks";
import type { Expiration } from "@/lib/integrations/epusdt/expiration";
import { shortDecimal } from "@/lib/integrations/shared/short-decimal";
import { tradeTypeOf } from "@/lib/integrations/shared/trade-type";

/** The client that reads a response. GMW clients expect the currency in `token`, all other clients the address. */
export interface Reader {
  isGmw: boolean;
  expiration: Expiration;
}

/**
 * Returns the JSON of an order. Amounts are strings and times are integers, because clients in Go fail to decode anything else. Values that
 * the payer has not chosen yet are "".
 */
export function toEpusdtOrder(order: OrderDetail, showing: Showing, { isGmw, expiration }: Reader, now: Date): object {
  const data = toDetailData(order, showing);
  const address = data.address ?? "";
  const left = Math.max(0, Math.floor((order.expiresAt.getTime() - now.getTime()) / 1_000));
  const coin = data.currency ?? "";
  return {
    fiat: order.echo?.["fiat"] ?? "",
    trade_type: tradeTypeOf(data),
    trade_id: order.id,
    order_id: order.mchOrderId,
    name: order.subject ?? "",
    amount: order.echo?.["amount"] ?? "",
    actual_amount: data.actual_amount === null ? "" : shortDecimal(JSON.stringify(data.actual_amount)),
    ...(isGmw
      ? { currency: order.echo?.["fiat"] ?? "", token: coin, network: data.network ?? "", receive_address: address }
      : { token: address }),
    expiration_time: expiration === "unix" ? data.expires_at : left,
    status: epusdtStatus(order.status),
    payment_url: data.payment_url,
  };
}

/** Returns the number of an order's status. Unpaid orders that can no longer be paid count as expired. */
export function epusdtStatus(status: OrderStatus): number {
  if (status === "paid") return EPUSDT_STATUS.paid;
  return status === "expired" || status === "cancelled" ? EPUSDT_STATUS.expired : EPUSDT_STATUS.waiting;
}

/** The error numbers of the original protocol. Errors without a number use their HTTP status. */
const STATUS_CODES: Readonly<Record<ApiCode, number>> = {
  10001: 400,
  10002: 401,
  10003: 10_008,
  10004: 10_002,
  10005: 429,
  10006: 503,
  10099: 500,
};

/** Returns the envelope of a result or an error, which this protocol sends with HTTP 200. */
export function epusdtEnvelope(result: object | AppError, requestId: string): object {
  const isFailure = result instanceof AppError;
  return {
    status_code: isFailure ? STATUS_CODES[result.code] : 200,
    message: isFailure ? result.message : "success",
    data: isFailure ? null : result,
    request_id: requestId,
  };
}
