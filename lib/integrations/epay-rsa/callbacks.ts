import type { Echo } from "@/lib/domain/integration-id";
import type { IntegrationCallbacks, PaidOrder } from "@/lib/domain/integrations/integration";
import { readPlatformKeys } from "@/lib/domain/keys/key-pair";
import type { DetailData } from "@/lib/domain/orders/order-wire";
import { withEpayRsaSignature } from "@/lib/integrations/epay-rsa/signature";
import {
  epayPaidFields,
  isEpayAcknowledged,
  readEpayCallback,
  withoutBlank,
  writeEpayCallback,
} from "@/lib/integrations/shared/epay/callbacks";
import type { EpayFields } from "@/lib/integrations/shared/epay/signed-text";
import { appendQuery } from "@/lib/integrations/shared/url-query";

/**
 * The callbacks of EPay V2: a signed GET for each payment. The signature covers the time, which clients compare with their clock. Every
 * attempt is therefore signed again.
 */
export const epayRsaCallbacks: IntegrationCallbacks = {
  write: (event) => writeEpayCallback(event, epayRsaPaidFields),
  sign({ url, body }, secret, at) {
    return { method: "GET", url: withSignature(url, readEpayCallback(body), secret, at), headers: {}, body: "" };
  },
  isAcknowledged: isEpayAcknowledged,
};

/** Returns the return URL of a paid order, with the signed fields of its callback. */
export function epayRsaReturn({ redirectUrl, echo, data }: PaidOrder, secret: string, at: Date): string {
  return withSignature(redirectUrl, epayRsaPaidFields(echo, data), secret, at);
}

/** Returns the fields of V1 and the transaction that paid the order. */
function epayRsaPaidFields(echo: Echo, data: DetailData): EpayFields {
  return withoutBlank({ ...epayPaidFields(echo, data), api_trade_no: data.tx_hash ?? "" });
}

function withSignature(url: string, fields: EpayFields, secret: string, at: Date): string {
  return appendQuery(url, withEpayRsaSignature(fields, readPlatformKeys(secret).platformPrivateKey, at));
}
