import type { Echo } from "@/lib/domain/integration-id";
import type { IntegrationCallbacks, PaidOrder } from "@/lib/domain/integrations/integration";
import type { DetailData } from "@/lib/domain/orders/order-wire";
import { BLANK, type EpayFields, signEpay } from "@/lib/integrations/epay/signature";
import { tradeTypeOf } from "@/lib/integrations/shared/trade-type";
import { appendQuery } from "@/lib/integrations/shared/url-query";

/** The callbacks of EPay V1: a signed GET for payments only, because clients treat every callback as a payment. */
export const epayCallbacks: IntegrationCallbacks = {
  write({ id, type, data, echo, notifyUrl }) {
    if (type !== "payment.confirmed" || notifyUrl === null) return [];
    return [{ id, url: notifyUrl, body: JSON.stringify(epayPaidFields(echo, data)) }];
  },
  sign({ url, body }, key) {
    return { method: "GET", url: withEpayFields(url, JSON.parse(body) as EpayFields, key), headers: {}, body: "" };
  },
  isAcknowledged: isEpayAcknowledged,
};

/**
 * Returns the fields of an EPay callback for a paid order, without its signature. Empty fields are omitted, because some clients, such as
 * V2Board, sign them and others do not.
 */
export function epayPaidFields(echo: Echo, data: DetailData): EpayFields {
  const fields = {
    pid: echo["pid"] ?? "",
    trade_no: data.trade_id,
    out_trade_no: data.mch_order_id,
    type: echo["type"] || tradeTypeOf(data),
    name: echo["name"] ?? "",
    money: echo["money"] ?? "",
    trade_status: "TRADE_SUCCESS",
    param: echo["param"] ?? "",
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !BLANK.test(value)));
}

/** Returns the return URL of a paid order, with the signed fields of its callback. */
export function epayReturn({ redirectUrl, echo, data }: PaidOrder, key: string): string {
  return withEpayFields(redirectUrl, epayPaidFields(echo, data), key);
}

/** Returns a URL with these fields and their signature appended to its query. */
export function withEpayFields(url: string, fields: EpayFields, key: string): string {
  return appendQuery(url, { ...fields, sign: signEpay(fields, key), sign_type: "MD5" });
}

/** "success" as a whole word in any case; "unsuccessful" does not match. */
const SUCCESS = /(?<![\p{L}\p{N}_])success(?![\p{L}\p{N}_])/iu;

/** Returns true if a response acknowledges a payment. Status 200 alone is not sufficient, because clients also refuse with status 200. */
export function isEpayAcknowledged(httpStatus: number, answer: string): boolean {
  return httpStatus === 200 && SUCCESS.test(answer);
}
