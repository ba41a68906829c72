import type { CallbackType } from "@/lib/domain/callbacks/callback";
import type { CallbackFormat } from "@/lib/domain/keys/key-rules";
import { type Currency, getNetwork, getToken } from "@/lib/domain/networks";
import { type DetailData, writeJson } from "@/lib/domain/orders/order-wire";

/** News of an order, before it is written in a format. */
export interface CallbackEvent {
  /** evt_ + id */
  id: string;
  type: CallbackType;
  at: Date;
  /** The order as the merchant's server shall read it. */
  data: DetailData;
}

/** How a callback is written, and which answer acknowledges it. */
interface Format {
  /** Null: the format has no words for such news, which are then only listed. */
  writeBody(event: CallbackEvent): string | null;
  isAcknowledged(httpStatus: number): boolean;
}

const isOk = (httpStatus: number) => httpStatus === 200;

/** Statuses of plugin v1; it knows no others. */
const PLUGIN_STATUS: Partial<Record<CallbackType, number>> = {
  "payment.confirmed": 2,
  "order.expired": 3,
  "order.cancelled": 4,
};

const FORMATS: Record<CallbackFormat, Format> = {
  standard: { writeBody: writeEvent, isAcknowledged: isOk },
  "plugin-v1": { writeBody: writePluginBody, isAcknowledged: isOk },
};

/** An event in the standard format, in which it is listed too. */
export function writeEvent({ id, type, at, data }: CallbackEvent): string {
  return writeJson({ id, type, timestamp: at.toISOString(), data });
}

/** The bytes of a callback in a format; null where the format cannot express it. */
export function writeCallback(format: CallbackFormat, event: CallbackEvent): string | null {
  return FORMATS[format].writeBody(event);
}

/** Whether an answer with this status acknowledges a callback of a format. */
export function isAcknowledged(format: CallbackFormat, httpStatus: number): boolean {
  return FORMATS[format].isAcknowledged(httpStatus);
}

/** The flat body that shop plugins of the hosted service read. A payment by hand has no transaction: `hash` is then empty. */
function writePluginBody({ id, type, data }: CallbackEvent): string | null {
  const status = PLUGIN_STATUS[type];
  if (status === undefined) return null;
  return writeJson({
    event_id: id,
    order_no: data.mch_order_id,
    trade_id: data.trade_id,
    status,
    amount: data.amount,
    actual_amount: data.actual_amount,
    currency: data.currency,
    network: data.network,
    contract_addr: contractOf(data.network, data.currency),
    hash: data.tx_hash ?? "",
    wallet_address: data.address,
  });
}

/** Null while the payer has chosen nothing. */
function contractOf(network: string | null, currency: Currency | null): string | null {
  return network && currency ? getToken(getNetwork(network), currency).contract : null;
}
