import type { IntegrationCallbacks } from "@/lib/domain/integrations/integration";
import { writeJson } from "@/lib/domain/orders/order-wire";
import { signToy } from "@/testing/integrations/toy/signature";

/** Writes a POST request for a payment. The shop acknowledges it with the text "thanks". */
export const toyCallbacks: IntegrationCallbacks = {
  write({ id, type, data, echo, notifyUrl }) {
    if (type !== "payment.confirmed" || notifyUrl === null) return [];
    return [{ id, url: notifyUrl, body: writeJson({ order: data.trade_id, toy: echo["toy"] ?? "", paid: true }) }];
  },
  sign({ url, body }, key) {
    const headers = { "content-type": "application/json", "x-toy-signature": signToy(body, key) };
    return { method: "POST", url, headers, body };
  },
  isAcknowledged: (httpStatus, responseText) => httpStatus === 200 && responseText.trim() === "thanks",
};
