import type { OrderStatus } from "@/lib/domain/orders/order";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { type Showing, toDetailData } from "@/lib/domain/orders/order-wire";
import { problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { type EpayRequest, textIn } from "@/lib/integrations/shared/epay/fields";
import { tradeTypeOf } from "@/lib/integrations/shared/trade-type";
import { findPluginOrder, listPluginOrders, searchPluginOrders } from "@/lib/plugins/find-orders";
import type { Plugin } from "@/lib/plugins/plugin-caller";

const MAX = 50;
const MAX_OFFSET = 100_000;
/** The UTC offset of the times of this protocol, which have no time zone. */
const CLOCK_MS = 8 * 3_600_000;

/** The names of an order's status, as in Alipay's API, whose names EPay uses. */
const TRADE_STATUS: Readonly<Record<OrderStatus, string>> = {
  pending: "WAIT_BUYER_PAY",
  confirming: "WAIT_BUYER_PAY",
  paid: "TRADE_SUCCESS",
  expired: "TRADE_CLOSED",
  cancelled: "TRADE_CLOSED",
};

/** The statuses that the filter `status` selects: 0 not paid, 1 paid. */
const FILTERED: ReadonlyMap<string, readonly OrderStatus[]> = new Map([
  ["0", ["pending", "confirming", "expired", "cancelled"]],
  ["1", ["paid"]],
]);

/**
 * Finds the order that a request names by `trade_no` or `out_trade_no`; `trade_no` takes precedence.
 * @throws AppError 10001 both are missing, 10003 the shop has no such order
 */
export async function findEpayOrder(
  { pool }: ApiContext,
  { fields }: EpayRequest,
  plugin: Plugin,
): Promise<OrderDetail> {
  const tradeId = textIn(fields, "trade_no");
  const mchOrderId = textIn(fields, "out_trade_no");
  if (tradeId === "" && mchOrderId === "") throw invalidField("trade_no", problem("order_number_missing"));
  const { merchantId, integration } = plugin;
  const name = tradeId === "" ? { merchantId, mchOrderId } : { merchantId, tradeId };
  const order = await findPluginOrder(pool.db, integration, name);
  if (!order) throw new AppError(problem("shop_order_unknown"));
  return order;
}

/**
 * Lists a shop's orders, newest first: at most 50, as `limit`, `offset` and `status` request.
 * @param usual the number of orders if the request has no `limit`
 */
export async function listEpayOrders(
  { pool }: ApiContext,
  { fields }: EpayRequest,
  { merchantId, integration }: Plugin,
  usual: number,
): Promise<OrderDetail[]> {
  const limit = Math.min(wholeIn(fields, "limit", usual), MAX);
  const offset = Math.min(wholeIn(fields, "offset", 0), MAX_OFFSET);
  const page = { merchantId, integration, limit, offset };
  const statuses = FILTERED.get(textIn(fields, "status"));
  if (!statuses) return listPluginOrders(pool.db, page);
  const echo = { field: "pid", values: [] };
  return searchPluginOrders(pool.db, { ...page, statuses, echo, hidden: null, texts: [], from: null, to: null });
}

function wholeIn(fields: EpayRequest["fields"], name: string, usual: number): number {
  const text = textIn(fields, name);
  return /^\d{1,9}$/.test(text) ? Number(text) : usual;
}

/** An order in the form of all versions of EPay. */
export interface EpayOrder {
  trade_no: string;
  out_trade_no: string;
  /** The transaction that paid the order; "" while there is none. */
  api_trade_no: string;
  type: string;
  pid: number;
  /** Times in China's time zone: "2026-03-01 18:00:00". */
  addtime: string;
  endtime: string | null;
  name: string;
  money: string;
  param: string;
  buyer: string;
  /** 1 paid, 0 not paid. */
  status: 0 | 1;
  trade_status: string;
}

/** Returns an order in the form of EPay. */
export function toEpayOrder(order: OrderDetail, showing: Showing): EpayOrder {
  const data = toDetailData(order, showing);
  const echo = order.echo ?? {};
  return {
    trade_no: order.id,
    out_trade_no: order.mchOrderId,
    api_trade_no: data.tx_hash ?? "",
    type: echo["type"] || tradeTypeOf(data),
    pid: Number(echo["pid"]),
    addtime: timeOf(order.createdAt),
    endtime: order.paidAt ? timeOf(order.paidAt) : null,
    name: echo["name"] ?? "",
    money: echo["money"] ?? "",
    param: echo["param"] ?? "",
    buyer: "",
    status: order.status === "paid" ? 1 : 0,
    trade_status: TRADE_STATUS[order.status],
  };
}

/** Formats a time in China's time zone: "2026-03-01 18:00:00". */
function timeOf(at: Date): string {
  return new Date(at.getTime() + CLOCK_MS).toISOString().slice(0, 19).replace("T", " ");
}
