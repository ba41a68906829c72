import type { Db } from "@/db/client";
import {
  findOrderDetailRow,
  type OrderDetailRow,
  type OrderKey,
  type OrderTransferRow,
} from "@/db/queries/orders/orders";
import { getNetwork } from "@/lib/domain/networks";
import { requiredConfirmations } from "@/lib/domain/networks/finality";
import type { OrderDetail, OrderTransfer } from "@/lib/domain/orders/order-wire";
import { confirmationsAt } from "@/lib/domain/transfers/transfer";

/** Finds an order by its id, or by what a merchant calls it; null when there is none, or it is another merchant's. */
export async function findOrderDetail(db: Db, key: OrderKey): Promise<OrderDetail | null> {
  const row = await findOrderDetailRow(db, key);
  return row && orderDetailOf(row);
}

/** The detail that a row of the database holds. */
export function orderDetailOf(row: OrderDetailRow): OrderDetail {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    mchOrderId: row.mch_order_id,
    network: row.network,
    currency: row.currency,
    amountUnits: BigInt(row.amount_units),
    price: row.price,
    status: row.status,
    exception: row.exception,
    version: row.version,
    paidUnits: BigInt(row.paid_units),
    settledTxId: row.settled_tx_id,
    notifyUrl: row.notify_url,
    redirectUrl: row.redirect_url,
    locale: row.locale,
    expiresAt: new Date(row.expires_ms),
    createdAt: new Date(row.created_ms),
    paidAt: dateOf(row.paid_ms),
    quote: {
      id: row.quote_id,
      network: row.quote_network,
      currency: row.quote_currency,
      address: row.quote_address,
      kind: row.quote_kind,
      baseUnits: BigInt(row.quote_units),
    },
    transfers: row.transfers?.map(transferOf) ?? [],
    callback: row.callback && {
      status: row.callback.status,
      attempts: row.callback.attempts,
      lastHttpStatus: row.callback.last_http_status,
      deliveredAt: dateOf(row.callback.delivered_ms),
    },
  };
}

function transferOf(row: OrderTransferRow): OrderTransfer {
  return {
    network: row.network,
    currency: row.currency,
    txId: row.tx_id,
    baseUnits: BigInt(row.base_units),
    status: row.status,
    ...confirmationsOf(row),
    seenAt: new Date(row.seen_ms),
  };
}

/** "3 of 12": a transfer never shows more than it needs before it is confirmed, nor less than it needs after. */
function confirmationsOf(row: OrderTransferRow): { confirmations: number; requiredConfirmations: number } {
  const chain = { finalizedHeight: row.finalized_height, blockMs: row.head_block_ms };
  const head = row.head_height === null ? null : { height: row.head_height, ...chain };
  const wait = { minConfirmations: row.min_confirmations, minSeconds: row.min_seconds };
  const required = requiredConfirmations(getNetwork(row.network), head, wait);
  switch (row.status) {
    case "confirmed": {
      const confirmations = row.confirmations ?? required;
      return { confirmations, requiredConfirmations: Math.min(required, confirmations) };
    }
    case "seen": {
      const confirmations = head ? confirmationsAt(head.height, row.block_height) : 0;
      return { confirmations: Math.min(confirmations, required), requiredConfirmations: required };
    }
    case "dropped":
      return { confirmations: 0, requiredConfirmations: required };
  }
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
