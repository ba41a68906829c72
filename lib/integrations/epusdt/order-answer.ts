import { transactionUrl } from "@/lib/domain/addresses/address";
import { getNetwork, type Network } from "@/lib/domain/networks";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { type Showing, toDetailData } from "@/lib/domain/orders/order-wire";
import type { Expiration } from "@/lib/integrations/epusdt/expiration";
import { epusdtStatus } from "@/lib/integrations/epusdt/order-data";
import { shortDecimal } from "@/lib/integrations/shared/short-decimal";
import { tradeTypeOf } from "@/lib/integrations/shared/trade-type";

/**
 * Returns an order as epusdt and BEpusdt return it. Amounts are strings and times are integers, because clients in Go fail to decode
 * anything else. Values that the payer has not chosen yet are "".
 */
export function toEpusdtOrder(order: OrderDetail, showing: Showing, expiration: Expiration, now: Date): object {
  const data = toDetailData(order, showing);
  const left = Math.max(0, Math.floor((order.expiresAt.getTime() - now.getTime()) / 1_000));
  return {
    fiat: order.echo?.["fiat"] ?? "",
    trade_type: tradeTypeOf(data),
    trade_id: order.id,
    order_id: order.mchOrderId,
    name: order.subject ?? "",
    amount: order.echo?.["amount"] ?? "",
    actual_amount: actualAmount(data),
    token: data.address ?? "",
    expiration_time: expiration === "unix" ? data.expires_at : left,
    status: epusdtStatus(order),
    payment_url: data.payment_url,
  };
}

/**
 * Returns an order as BEpusdt's `pay/info` returns it (its `app/handler/epusdt/epusdt.go`): the price is `money`, the address `token`, and
 * times are in Unix seconds.
 */
export function toEpusdtInfo(
  order: OrderDetail,
  showing: Showing,
  { redirectUrl, canReselect, supportUrl }: { redirectUrl: string; canReselect: boolean; supportUrl: string },
): object {
  const data = toDetailData(order, showing);
  const [transfer] = order.transfers;
  return {
    network: networkInfo(order),
    trade_id: order.id,
    order_id: order.mchOrderId,
    trade_type: tradeTypeOf(data),
    status: epusdtStatus(order),
    money: order.echo?.["amount"] ?? "",
    actual_amount: actualAmount(data),
    token: data.address ?? "",
    fiat: order.echo?.["fiat"] ?? "",
    name: order.subject ?? "",
    expired_at: data.expires_at,
    created_at: data.created_at,
    trade_url: transfer ? transactionUrl(getNetwork(transfer.network), order.settledTxId ?? transfer.txId) : "",
    support_url: supportUrl,
    redirect_url: redirectUrl,
    reselect: canReselect,
  };
}

function actualAmount({ actual_amount: amount }: ReturnType<typeof toDetailData>): string {
  return amount === null ? "" : shortDecimal(JSON.stringify(amount));
}

/** Returns the network of an order's quote; with empty values while there is none. */
function networkInfo({ quote }: OrderDetail): object {
  const network: Network | null = quote && getNetwork(quote.network);
  return {
    alias: network?.standard ?? "",
    name: network?.name ?? "",
    crypto: quote?.currency ?? "",
    network: network?.id ?? "",
  };
}
