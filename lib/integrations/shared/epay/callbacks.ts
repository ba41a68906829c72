import type { Echo } from "@/lib/domain/integration-id";
import type { IntegrationEvent, WrittenCallback } from "@/lib/domain/integrations/integration";
import type { DetailData } from "@/lib/domain/orders/order-wire";
import { BLANK, type EpayFields } from "@/lib/integrations/shared/epay/signed-text";
import { tradeTypeOf } from "@/lib/integrations/shared/trade-type";

/**
 * Returns the callbacks of an event: one for a payment and none for any other event, because clients treat every callback as a payment.
 * @param toFields returns the fields of the callback, without its signature
 */
export function writeEpayCallback(
  { id, type, data, echo, notifyUrl }: IntegrationEvent,
  toFields: (echo: Echo, data: DetailData) => EpayFields,
): WrittenCallback[] {
  if (type !== "payment.confirmed" || notifyUrl === null) return [];
  return [{ id, url: notifyUrl, body: JSON.stringify(toFields(echo, data)) }];
}

/** Returns the fields of a stored callback. */
export function readEpayCallback(body: string): EpayFields {
  return JSON.parse(body) as EpayFields;
}

/**
 * Returns the fields of an EPay callback for a paid order, without its signature. Empty fields are omitted, because some clients, such as
 * V2Board, sign them and others do not.
 */
export function epayPaidFields(echo: Echo, data: DetailData): EpayFields {
  return withoutBlank({
    pid: echo["pid"] ?? "",
    trade_no: data.trade_id,
    out_trade_no: data.mch_order_id,
    type: echo["type"] || tradeTypeOf(data),
    name: echo["name"] ?? "",
    money: echo["money"] ?? "",
    trade_status: "TRADE_SUCCESS",
    param: echo["param"] ?? "",
  });
}

/** Returns the fields without blank ones. */
export function withoutBlank(fields: EpayFields): EpayFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !BLANK.test(value)));
}

/** "success" as a whole word in any case; "unsuccessful" does not match. */
const SUCCESS = /(?<![\p{L}\p{N}_])success(?![\p{L}\p{N}_])/iu;

/** Returns true if a response acknowledges a payment. Status 200 alone is not sufficient, because clients also refuse with status 200. */
export function isEpayAcknowledged(httpStatus: number, answer: string): boolean {
  return httpStatus === 200 && SUCCESS.test(answer);
}
