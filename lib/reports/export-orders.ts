import type { Db } from "@/db/client";
import { type ListedOrder, readAllOrders } from "@/db/queries/orders/order-list";
import { displayAddress, displayTxId } from "@/lib/domain/addresses/address";
import { formatUnits } from "@/lib/domain/money";
import { findNetwork } from "@/lib/domain/networks";
import type { OrderFilter } from "@/lib/domain/orders/filter";
import { decimalsOf } from "@/lib/domain/orders/order";
import type { Cell, FileForm } from "@/lib/domain/reports";
import { streamFile } from "@/lib/reports/file-stream";

const COLUMNS: readonly [head: string, value: (order: ListedOrder) => Cell][] = [
  ["trade_id", ({ id }) => id],
  ["mch_order_id", ({ mchOrderId }) => mchOrderId],
  ["subject", ({ subject }) => subject],
  ["status", ({ status }) => status],
  ["exception", ({ exception }) => exception],
  ["network", ({ network, checkout }) => network ?? checkout?.network ?? null],
  ["currency", ({ currency, checkout }) => currency ?? checkout?.currency ?? null],
  ["actual_amount", (order) => amountOf(order, order.baseUnits)],
  ["paid_amount", (order) => amountOf(order, order.paidUnits)],
  ["fiat", ({ price, checkout }) => price?.fiat ?? checkout?.price?.fiat ?? null],
  ["fiat_amount", ({ price, checkout }) => decimal(price?.amount ?? checkout?.price?.amount)],
  ["rate", ({ price }) => decimal(price?.rate)],
  ["created_at", ({ createdAt }) => createdAt],
  ["expires_at", ({ expiresAt }) => expiresAt],
  ["paid_at", ({ paidAt }) => paidAt],
  ["address", ({ address, network }) => address && displayAddress(familyOf(network), address)],
  ["from_address", ({ fromAddress, network }) => fromAddress && displayAddress(familyOf(network), fromAddress)],
  ["tx_hash", ({ txId, network }) => txId && displayTxId(familyOf(network), txId)],
  ["callback", ({ callback }) => callback],
];

/**
 * Returns the orders of a merchant that match a filter, newest first, as a file that is read from the database while it is sent.
 * @returns the bytes; canceling the stream stops reading
 */
export function exportOrders(
  db: Db,
  merchantId: string,
  filter: OrderFilter,
  form: FileForm,
): ReadableStream<Uint8Array> {
  const rows = toRows(readAllOrders(db, merchantId, filter));
  return streamFile([{ name: "Orders", head: COLUMNS.map(([head]) => head), rows }], form);
}

async function* toRows(orders: AsyncIterable<readonly ListedOrder[]>): AsyncGenerator<Cell[][]> {
  for await (const some of orders) yield some.map((order) => COLUMNS.map(([, value]) => value(order)));
}

const familyOf = (network: string | null) => findNetwork(network ?? "")?.family ?? "evm";

function amountOf({ network, currency }: ListedOrder, units: bigint | null): Cell {
  if (network === null || currency === null || units === null) return null;
  return { decimal: formatUnits(units, decimalsOf({ network, currency })) };
}

function decimal(text: string | undefined): Cell {
  return text === undefined ? null : { decimal: text };
}
