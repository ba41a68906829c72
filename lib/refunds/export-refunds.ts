import type { Db } from "@/db/client";
import { type RefundRow, readAllRefunds } from "@/db/queries/refunds/refund-list";
import { displayAddress, displayTxId } from "@/lib/domain/addresses/address";
import { formatMicro } from "@/lib/domain/money";
import { getNetwork } from "@/lib/domain/networks";
import type { RefundFilter } from "@/lib/domain/refunds/filter";
import type { Cell, FileForm } from "@/lib/domain/reports";
import { streamFile } from "@/lib/reports/file-stream";

type Column = [head: string, value: (refund: RefundRow) => Cell];

const COLUMNS: readonly Column[] = [
  ["refund_id", ({ id }) => id],
  ["mch_refund_id", ({ mchRefundId }) => mchRefundId],
  ["trade_id", ({ orderId }) => orderId],
  ["mch_order_id", ({ mchOrderId }) => mchOrderId],
  ["status", ({ status }) => status],
  ["amount", ({ microUnits }) => ({ decimal: formatMicro(microUnits) })],
  ["currency", ({ currency }) => currency],
  ["fiat_amount", ({ price }) => price && { decimal: price.amount }],
  ["fiat", ({ price }) => price?.fiat ?? null],
  ["reason", ({ reason }) => reason],
  ["network", ({ network }) => network],
  ["address", ({ network, address }) => network && address && displayAddress(getNetwork(network).family, address)],
  ["tx_hash", ({ network, txId }) => network && txId && displayTxId(getNetwork(network).family, txId)],
  ["created_at", ({ createdAt }) => createdAt],
  ["claimed_at", ({ claimedAt }) => claimedAt],
  ["approved_at", ({ approvedAt }) => approvedAt],
  ["sent_at", ({ sentAt }) => sentAt],
  ["completed_at", ({ completedAt }) => completedAt],
  ["ended_at", ({ endedAt }) => endedAt],
];

/**
 * Exports the refunds of a merchant that match a filter, newest first. The file is read from the database while it is sent.
 * @returns the bytes; cancelling the stream stops the reads
 */
export function exportRefunds(
  db: Db,
  merchantId: string,
  filter: RefundFilter,
  form: FileForm,
): ReadableStream<Uint8Array> {
  const rows = toRows(readAllRefunds(db, merchantId, filter));
  return streamFile([{ name: "Refunds", head: COLUMNS.map(([head]) => head), rows }], form);
}

async function* toRows(refunds: AsyncIterable<readonly RefundRow[]>): AsyncGenerator<Cell[][]> {
  for await (const some of refunds) yield some.map((one) => COLUMNS.map(([, value]) => value(one)));
}
