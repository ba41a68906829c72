import type { Echo } from "@/lib/domain/integration-id";
import type { IntegrationCallbacks, PaidOrder } from "@/lib/domain/integrations/integration";
import { type DetailData, type ExactNumber, exactNumber, writeJson } from "@/lib/domain/orders/order-wire";
import { signEpay } from "@/lib/integrations/epusdt/epay-signature";
import { apiOf, EPUSDT_STATUS, methodOfEcho } from "@/lib/integrations/epusdt/order-data";
import { type EpusdtFields, signEpusdt } from "@/lib/integrations/epusdt/signature";
import { shortDecimal } from "@/lib/integrations/shared/short-decimal";
import { appendQuery } from "@/lib/integrations/shared/url-query";

/**
 * The callbacks of epusdt, for payments only, because clients treat every callback as a payment: a POST of JSON, or a GET for orders of
 * EPay.
 */
export const epusdtCallbacks: IntegrationCallbacks = {
  write({ id, type, data, echo, notifyUrl }) {
    if (type !== "payment.confirmed" || notifyUrl === null) return [];
    return [{ id, url: notifyUrl, body: writePaid(echo, data) }];
  },
  sign({ url, body }, token) {
    const fields = JSON.parse(body) as EpusdtFields;
    if ("trade_status" in fields)
      return { method: "GET", url: withEpaySign(url, fields, token), headers: {}, body: "" };
    const headers = { "content-type": "application/json" };
    return { method: "POST", url, headers, body: withEpusdtSignature(body, token) };
  },
  isAcknowledged: isEpusdtAcknowledged,
};

/** Returns the stored callback of a paid order in the shape of the API that created the order. */
function writePaid(echo: Echo, data: DetailData): string {
  switch (apiOf(echo)) {
    case "epay":
      return JSON.stringify(epayPaidFields(echo, data));
    case "gmpay":
      return withMethod(writeGmpayPaid(echo, data), echo);
    case "original":
      return withMethod(writeEpusdtPaid(echo, data), echo);
  }
}

/**
 * Returns the callback body for a paid order of epusdt or BEpusdt, without its signature. It has exactly the fields that every client
 * supports, because some clients sign only these and others everything they receive. `actual_amount` is a string, because PHP loses digits
 * of long JSON numbers.
 */
export function writeEpusdtPaid(echo: Echo, data: DetailData): string {
  return writeJson({
    trade_id: data.trade_id,
    order_id: data.mch_order_id,
    amount: exactNumber(echo["amount"] ?? "0"),
    actual_amount: shortDecimal(JSON.stringify(data.actual_amount)),
    token: data.address ?? "",
    block_transaction_id: data.tx_hash ?? "",
    status: EPUSDT_STATUS.paid,
  });
}

/**
 * Returns the callback body for a paid order of GMPay, without its signature. Source: epusdt's `model/response/order_response.go`. Amounts
 * are numbers as there, unless a client would sign a number with other digits than the service.
 */
export function writeGmpayPaid(echo: Echo, data: DetailData): string {
  return writeJson({
    pid: echo["pid"] ?? "",
    trade_id: data.trade_id,
    order_id: data.mch_order_id,
    amount: signableNumber(echo["amount"] ?? "0"),
    actual_amount: signableNumber(data.actual_amount === null ? "0" : JSON.stringify(data.actual_amount)),
    receive_address: data.address ?? "",
    token: data.currency ?? "",
    block_transaction_id: data.tx_hash ?? "",
    status: EPUSDT_STATUS.paid,
  });
}

/** The number of significant digits with which PHP writes a float (its setting `precision`). Other languages write more. */
const SAFE_DIGITS = 14;
/** The smallest number that PHP, Python and Go write without an exponent. */
const MIN_WITHOUT_EXPONENT = 1e-4;

/**
 * Returns a decimal as a JSON number if every client that parses it writes the same digits again when it computes the signature, and as a
 * string otherwise.
 */
function signableNumber(decimal: string): ExactNumber | string {
  const short = shortDecimal(decimal);
  const digits = short.replace(/^[-0.]+/, "").replace(".", "");
  const isSafe = digits.length <= SAFE_DIGITS && (digits === "" || Math.abs(Number(short)) >= MIN_WITHOUT_EXPONENT);
  return isSafe ? exactNumber(short) : short;
}

/** The mark of a stored body that is signed with HMAC-SHA256; the signature replaces it. */
const HMAC_MARK = ',"signature":"hmac-sha256"}';

function withMethod(unsigned: string, echo: Echo): string {
  return methodOfEcho(echo) === "md5" ? unsigned : `${unsigned.slice(0, -1)}${HMAC_MARK}`;
}

/** Returns the body with its signature, as it is sent. @param stored a JSON object without a signature, with or without `HMAC_MARK` */
export function withEpusdtSignature(stored: string, token: string): string {
  const isHmac = stored.endsWith(HMAC_MARK);
  const unsigned = isHmac ? `${stored.slice(0, -HMAC_MARK.length)}}` : stored;
  const fields = JSON.parse(unsigned) as Record<string, string | number>;
  const texts = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  const signature = signEpusdt(Object.fromEntries(texts), token, isHmac ? "hmac-sha256" : "md5");
  return `${unsigned.slice(0, -1)},"signature":"${signature}"}`;
}

/**
 * Returns the fields of an EPay callback for a paid order, without its signature. `type` is the one of the request, "alipay" if it had
 * none. Empty fields are omitted, because some clients sign them and others do not. Source: epusdt's `model/service/epay_return.go`.
 */
export function epayPaidFields(echo: Echo, data: DetailData): EpusdtFields {
  const fields = {
    pid: echo["pid"] ?? "",
    trade_no: data.trade_id,
    out_trade_no: data.mch_order_id,
    type: echo["type"] || "alipay",
    name: echo["name"] ?? "",
    money: echo["money"] ?? "",
    trade_status: "TRADE_SUCCESS",
    param: echo["param"] ?? "",
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}

function withEpaySign(url: string, fields: EpusdtFields, token: string): string {
  return appendQuery(url, { ...fields, sign: signEpay(fields, token), sign_type: "MD5" });
}

/** Returns the URL to which the payer of a paid order returns: for orders of EPay with the signed fields of the callback. */
export function epusdtReturn({ redirectUrl, echo, data }: PaidOrder, token: string): string {
  return apiOf(echo) === "epay" ? withEpaySign(redirectUrl, epayPaidFields(echo, data), token) : redirectUrl;
}

/** Returns true if a response acknowledges a payment: its body is "ok" or "success", trimmed and in any case. */
export function isEpusdtAcknowledged(httpStatus: number, answer: string): boolean {
  return (
    httpStatus === 200 &&
    ["ok", "success"].includes(
      answer
        .replace(/^\uFEFF/, "")
        .trim()
        .toLowerCase(),
    )
  );
}
