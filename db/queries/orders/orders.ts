import { type Db, runPrepared } from "@/db/client";
import { ADDRESS_MAC_COLUMN, type AddressMacColumn, joinAddressMac } from "@/db/queries/orders/address-macs";
import type { AddressKind } from "@/lib/domain/addresses/load";
import type { Echo, OrderIntegration } from "@/lib/domain/integration-id";
import { type Currency, getNetwork } from "@/lib/domain/networks";
import { requiredConfirmations } from "@/lib/domain/networks/finality";
import type { CheckoutTerms, OrderException, OrderPrice, OrderStatus } from "@/lib/domain/orders/order";
import type { OpenOrder, OrderDetail, OrderTransfer, QuotedOrder } from "@/lib/domain/orders/order-detail";
import { confirmationsAt, type TransferStatus } from "@/lib/domain/transfers/transfer";

/** A row of an order's details. Times are Unix milliseconds, base units are decimal strings. */
export interface OrderDetailRow extends AddressMacColumn {
  id: string;
  merchant_id: string;
  mch_order_id: string;
  checkout: CheckoutTerms | null;
  /** The requested network. Null until the payer chooses, like the next three columns and the quote. */
  network: string | null;
  currency: Currency | null;
  amount_units: string | null;
  price: OrderPrice | null;
  status: OrderStatus;
  exception: OrderException | null;
  version: number;
  paid_units: string;
  settled_tx_id: string | null;
  notify_url: string | null;
  redirect_url: string | null;
  locale: string | null;
  subject: string | null;
  /** The text of a JSON object. */
  metadata: string | null;
  integration: OrderIntegration;
  echo: Echo | null;
  expires_ms: number;
  created_ms: number;
  paid_ms: number | null;
  quote_id: string | null;
  quote_network: string;
  quote_currency: Currency;
  quote_address: string;
  quote_kind: AddressKind;
  quote_units: string;
  quote_asked_units: string | null;
  transfers: OrderTransferRow[] | null;
  callback: OrderCallbackRow | null;
  /** True if the API key of the request is live; null if the request uses no key. */
  is_key_live: boolean | null;
}

export interface OrderTransferRow {
  network: string;
  currency: Currency;
  tx_id: string;
  base_units: string;
  status: TransferStatus;
  block_height: number;
  confirmations: number | null;
  seen_ms: number;
  head_height: number | null;
  finalized_height: number | null;
  head_block_ms: number | null;
  /** The merchant's confirmation rule; both are null if the network's rule applies. */
  min_confirmations: number | null;
  min_seconds: number | null;
}

export interface OrderCallbackRow {
  status: "pending" | "delivered" | "failed";
  attempts: number;
  last_http_status: number | null;
  delivered_ms: number | null;
}

const MAX_TRANSFERS = 100;
const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const COLUMNS = `
  o.id, o.merchant_id, o.mch_order_id, o.checkout, o.network, o.currency, o.amount_units::text, coalesce(q.price, o.price) as price, o.status, o.exception, o.version,
  o.paid_units::text, o.notify_url, o.redirect_url, o.locale, o.subject, o.metadata, o.dialect as integration, o.echo,
  ${ms("o.expires_at")} as expires_ms, ${ms("o.created_at")} as created_ms, ${ms("o.paid_at")} as paid_ms,
  q.id as quote_id, q.network as quote_network, q.currency as quote_currency, q.address as quote_address,
  ${ADDRESS_MAC_COLUMN}, q.kind as quote_kind, q.base_units::text as quote_units, q.asked_units::text as quote_asked_units,
  (select t.tx_id from transfers t where t.id = o.settled_by_transfer_id and t.merchant_id = o.merchant_id) as settled_tx_id,
  (select json_agg(json_build_object('network', t.network, 'currency', t.currency, 'tx_id', t.tx_id,
      'base_units', t.base_units::text, 'status', t.status, 'block_height', t.block_height,
      'confirmations', t.confirmations, 'seen_ms', ${ms("t.seen_at")},
      'head_height', c.head_height, 'finalized_height', c.finalized_height, 'head_block_ms', c.block_ms,
      'min_confirmations', n.min_confirmations, 'min_seconds', n.min_seconds) order by t.seen_at, t.id)
    from (select * from transfers where order_id = o.id and merchant_id = o.merchant_id order by seen_at, id limit ${MAX_TRANSFERS}) t
    left join cursors c on c.network = t.network
    left join merchant_networks n on n.merchant_id = o.merchant_id and n.network = t.network) as transfers,
  (select json_build_object('status', k.status, 'attempts', k.attempts, 'last_http_status', k.last_http_status,
      'delivered_ms', ${ms("k.delivered_at")})
    from callbacks k where k.order_id = o.id and k.merchant_id = o.merchant_id and k.type = 'payment.confirmed'
    order by k.id desc limit 1) as callback`;
const isKeyLive = (id: string, at: string) =>
  `(select is_live(k.ends_at, ${at}) from api_keys k where k.id = ${id}) as is_key_live`;

const JOIN = `left join quotes q on q.order_id = o.id and q.merchant_id = o.merchant_id and q.id = o.quote_id ${joinAddressMac("q")}`;
const FIND = `select ${COLUMNS}, ${isKeyLive("$1::text", "$2::timestamptz")} from orders o ${JOIN} where `;
const FIND_BY_ID = `${FIND} o.id = $3`;
/** A statement that looks up each order separately, as `findEach` does. */
const FIND_BY_IDS = `
  select f.*, ${isKeyLive("$1::text", "$2::timestamptz")} from jsonb_array_elements_text($3::text::jsonb) as a(id)
  cross join lateral (select ${COLUMNS} from orders o ${JOIN} where o.id = a.id limit 1) f`;
const FIND_BY_TRADE_ID = `${FIND} o.merchant_id = $3 and o.id = $4`;
const FIND_BY_MCH_ORDER_ID = `${FIND} o.merchant_id = $3 and o.mch_order_id = $4 and o.dialect = $5`;
const FIND_BY_BOTH = `${FIND} o.merchant_id = $3 and o.id = $4 and o.mch_order_id = $5 and o.dialect = $6`;

/**
 * Returns a statement that looks up each order separately, so that a plan made while the tables are small does not scan them once they are
 * large.
 */
const findEach = (isNamed: string) => `
  select a.ordinal::integer as ordinal, f.*, ${isKeyLive("a.key_id", "$2::timestamptz")}
  from jsonb_to_recordset($1::text::jsonb) as a(ordinal integer, key_id text, merchant_id text, name text)
  cross join lateral (
    select ${COLUMNS} from orders o ${JOIN} where o.merchant_id = a.merchant_id and ${isNamed} limit 1) f`;
const FIND_EACH_BY_TRADE_ID = findEach("o.id = a.name");
const FIND_EACH_BY_MCH_ORDER_ID = findEach("o.mch_order_id = a.name and o.dialect = 'api'");

/**
 * The key of an order: its id, for any merchant; or its trade_id, its merchant order number or both, for one merchant. If both are given,
 * they must identify the same order. Merchant order numbers belong to an integration, by default the API itself.
 */
export type OrderKey =
  | { id: string }
  | { merchantId: string; tradeId?: string; mchOrderId?: string; integration?: OrderIntegration };

/**
 * Returns the data of an order for order/detail in one round trip; null if there is no such order. Includes at most 100 transfers, those
 * that were seen first.
 * @param apiKey the key of the request, whose state is read in the same statement
 */
export async function findOrderDetailRow(
  db: Db,
  key: OrderKey,
  apiKey: { id: string; now: Date } | null = null,
): Promise<OrderDetailRow | null> {
  const [text, params] = statementFor(key);
  const rows = await runPrepared<OrderDetailRow>(db, text, [
    apiKey?.id ?? null,
    apiKey?.now.toISOString() ?? null,
    ...params,
  ]);
  return rows[0] ?? null;
}

/** Returns the details of many orders, across merchants. */
export async function listOrderDetailRows(db: Db, ids: readonly string[]): Promise<OrderDetailRow[]> {
  if (ids.length === 0) return [];
  return runPrepared<OrderDetailRow>(db, FIND_BY_IDS, [null, null, JSON.stringify(ids)]);
}

function statementFor(key: OrderKey): [string, string[]] {
  if ("id" in key) return [FIND_BY_ID, [key.id]];
  const { merchantId, tradeId, mchOrderId, integration = "api" } = key;
  if (tradeId !== undefined && mchOrderId !== undefined)
    return [FIND_BY_BOTH, [merchantId, tradeId, mchOrderId, integration]];
  if (tradeId !== undefined) return [FIND_BY_TRADE_ID, [merchantId, tradeId]];
  if (mchOrderId !== undefined) return [FIND_BY_MCH_ORDER_ID, [merchantId, mchOrderId, integration]];
  throw new Error("An order is retrieved by its trade_id or its mch_order_id");
}

/**
 * A request for an order, authenticated by a merchant's key. It specifies the order's trade_id, its merchant order number, or both. If
 * both are specified, they must match.
 */
export interface OrderQuestion {
  apiKeyId: string;
  merchantId: string;
  tradeId?: string;
  mchOrderId?: string;
}

/** Returns the result of `findOrderDetailRow` for each request, in the order of the requests. */
export async function findOrderDetailRows(
  db: Db,
  questions: readonly OrderQuestion[],
  now: Date,
): Promise<(OrderDetailRow | null)[]> {
  const asked = questions.map(({ apiKeyId, merchantId, tradeId, mchOrderId }, ordinal) => {
    return {
      ordinal,
      key_id: apiKeyId,
      merchant_id: merchantId,
      name: tradeId ?? mchOrderId,
      hasId: tradeId !== undefined,
    };
  });
  const find = async (text: string, those: typeof asked) => {
    if (those.length === 0) return [];
    return runPrepared<OrderDetailRow & { ordinal: number }>(db, text, [JSON.stringify(those), now.toISOString()]);
  };
  const found = await Promise.all([
    find(
      FIND_EACH_BY_TRADE_ID,
      asked.filter(({ hasId }) => hasId),
    ),
    find(
      FIND_EACH_BY_MCH_ORDER_ID,
      asked.filter(({ hasId }) => !hasId),
    ),
  ]);
  const rows: (OrderDetailRow | null)[] = questions.map(() => null);
  for (const row of found.flat()) {
    const { mchOrderId } = questions[row.ordinal] ?? {};
    if (mchOrderId === undefined || mchOrderId === row.mch_order_id) rows[row.ordinal] = row;
  }
  return rows;
}

/** Returns an order by its id or by the merchant's number; null if there is none or it belongs to a different merchant. */
export async function findOrderDetail(db: Db, key: OrderKey): Promise<OrderDetail | null> {
  const row = await findOrderDetailRow(db, key);
  return row && orderDetailOf(row);
}

/** Converts a database row to order details. */
export function orderDetailOf(row: OrderDetailRow): OrderDetail {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    mchOrderId: row.mch_order_id,
    ...askedOf(row),
    status: row.status,
    exception: row.exception,
    version: row.version,
    paidUnits: BigInt(row.paid_units),
    settledTxId: row.settled_tx_id,
    notifyUrl: row.notify_url,
    redirectUrl: row.redirect_url,
    locale: row.locale,
    subject: row.subject,
    metadata: row.metadata,
    integration: row.integration,
    echo: row.echo,
    expiresAt: new Date(row.expires_ms),
    createdAt: new Date(row.created_ms),
    paidAt: dateOf(row.paid_ms),
    transfers: row.transfers?.map(transferOf) ?? [],
    callback: row.callback && {
      status: row.callback.status,
      attempts: row.callback.attempts,
      lastHttpStatus: row.callback.last_http_status,
      deliveredAt: dateOf(row.callback.delivered_ms),
    },
  };
}

type Asked = Pick<QuotedOrder, "checkout" | "network" | "currency" | "amountUnits" | "price" | "quote">;
type Unasked = Pick<OpenOrder, keyof Asked>;

function askedOf(row: OrderDetailRow): Asked | Unasked {
  const { checkout, network, currency, amount_units, price, quote_id: id } = row;
  if (network !== null && currency !== null && amount_units !== null && id !== null) {
    const ordinal = { network: row.quote_network, currency: row.quote_currency, address: row.quote_address };
    const askedUnits = row.quote_asked_units === null ? null : BigInt(row.quote_asked_units);
    const quote = {
      id,
      ...ordinal,
      addressMac: row.addressMac,
      kind: row.quote_kind,
      baseUnits: BigInt(row.quote_units),
      askedUnits,
    };
    return { checkout, network, currency, amountUnits: BigInt(amount_units), price, quote };
  }
  if (checkout === null) throw new Error("The order has neither a payment method nor a checkout");
  return { checkout, network: null, currency: null, amountUnits: null, price: null, quote: null };
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

/**
 * Returns the current and the required confirmations, such as "3 of 12". An unconfirmed transfer never has more than required, and a
 * confirmed one never has fewer.
 */
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
