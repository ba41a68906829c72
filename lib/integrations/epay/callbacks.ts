import type { IntegrationCallbacks, PaidOrder } from "@/lib/domain/integrations/integration";
import { signEpay } from "@/lib/integrations/epay/signature";
import {
  epayPaidFields,
  isEpayAcknowledged,
  readEpayCallback,
  writeEpayCallback,
} from "@/lib/integrations/shared/epay/callbacks";
import type { EpayFields } from "@/lib/integrations/shared/epay/signed-text";
import { appendQuery } from "@/lib/integrations/shared/url-query";

/** The callbacks of EPay V1: a signed GET for each payment. */
export const epayCallbacks: IntegrationCallbacks = {
  write: (event) => writeEpayCallback(event, epayPaidFields),
  sign({ url, body }, key) {
    return { method: "GET", url: withEpayFields(url, readEpayCallback(body), key), headers: {}, body: "" };
  },
  isAcknowledged: isEpayAcknowledged,
};

/** Returns the return URL of a paid order, with the signed fields of its callback. */
export function epayReturn({ redirectUrl, echo, data }: PaidOrder, key: string): string {
  return withEpayFields(redirectUrl, epayPaidFields(echo, data), key);
}

/** Returns a URL with these fields and their signature appended to its query. */
export function withEpayFields(url: string, fields: EpayFields, key: string): string {
  return appendQuery(url, { ...fields, sign: signEpay(fields, key), sign_type: "MD5" });
}
