import type { Echo } from "@/lib/domain/integration-id";
import type { IntegrationCallbacks } from "@/lib/domain/integrations/integration";
import { type DetailData, exactNumber, writeJson } from "@/lib/domain/orders/order-wire";
import { signEpusdt } from "@/lib/integrations/epusdt/signature";
import { shortDecimal } from "@/lib/integrations/shared/short-decimal";

/** The numbers of order statuses in epusdt. */
export const EPUSDT_STATUS = { waiting: 1, paid: 2, expired: 3 } as const;

/** The callbacks of epusdt: a POST for payments only, because clients treat every callback as a payment. */
export const epusdtCallbacks: IntegrationCallbacks = {
  write({ id, type, data, echo, notifyUrl }) {
    if (type !== "payment.confirmed" || notifyUrl === null) return [];
    return [{ id, url: notifyUrl, body: writeEpusdtPaid(echo, data) }];
  },
  sign({ url, body }, token) {
    const headers = { "content-type": "application/json" };
    return { method: "POST", url, headers, body: withEpusdtSignature(body, token) };
  },
  isAcknowledged: isEpusdtAcknowledged,
};

/**
 * Returns the callback body for a paid order, without its signature. It has exactly the fields that every client supports, because some
 * clients sign only these and others everything they receive. `actual_amount` is a string, because PHP loses digits of long JSON numbers.
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

/** Returns the body with its signature, as it is sent. @param unsigned made by `writeEpusdtPaid` */
export function withEpusdtSignature(unsigned: string, token: string): string {
  const fields = JSON.parse(unsigned) as Record<string, string | number>;
  const texts = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  const signature = signEpusdt(Object.fromEntries(texts), token);
  return `${unsigned.slice(0, -1)},"signature":"${signature}"}`;
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
