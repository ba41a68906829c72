import type { Db } from "@/db/client";
import {
  countOrders,
  type LedgerRow,
  readLedger,
  readRefunds,
  sumFiat,
  sumLedger,
  sumRefundFiat,
  sumRefunds,
} from "@/db/queries/transfers/ledger-months";
import { displayAddress, displayTxId } from "@/lib/domain/addresses/address";
import { formatUnits } from "@/lib/domain/money";
import { findNetwork } from "@/lib/domain/networks";
import { decimalsOf } from "@/lib/domain/orders/order";
import type { Cell, FileForm, LedgerSum, Month, Period } from "@/lib/domain/reports";
import { tokenOf } from "@/lib/domain/transfers/transfer";
import { type Sheet, streamFile } from "@/lib/reports/file-stream";

/**
 * Returns a merchant's report for a period: the on-chain transfers and refunds, the fiat values of both, and the outcomes of the orders
 * created in that period.
 */
export async function readReport(db: Db, merchantId: string, period: Period) {
  const [ledger, refunds, fiat, refundFiat, orders] = await Promise.all([
    sumLedger(db, merchantId, period),
    sumRefunds(db, merchantId, period),
    sumFiat(db, merchantId, period),
    sumRefundFiat(db, merchantId, period),
    countOrders(db, merchantId, period),
  ]);
  return { ledger, refunds, fiat, refundFiat, orders };
}

const SUM_HEAD = ["network", "currency", "kind", "transfers", "amount"];
const COLUMNS: readonly [head: string, value: (row: LedgerRow) => Cell][] = [
  ["block_time", ({ at }) => at],
  ["kind", ({ kind }) => kind],
  ["network", ({ network }) => network],
  ["currency", ({ currency }) => currency],
  ["amount", (row) => ({ decimal: formatUnits(row.units, tokenOf(row).decimals) })],
  ["trade_id", ({ orderId }) => orderId],
  ["mch_order_id", ({ mchOrderId }) => mchOrderId],
  ["fiat", ({ fiat }) => fiat],
  ["rate", ({ rate }) => (rate === null ? null : { decimal: rate })],
  ["fiat_value", ({ value }) => (value === null ? null : { decimal: value })],
  ["tx_hash", ({ txId, network }) => displayTxId(familyOf(network), txId)],
  ["from_address", ({ fromAddress, network }) => fromAddress && displayAddress(familyOf(network), fromAddress)],
  ["to_address", ({ toAddress, network }) => displayAddress(familyOf(network), toAddress)],
  ["refunded", (row) => ({ decimal: formatUnits(row.refundedUnits, tokenOf(row).decimals) })],
  ["refund_of", ({ refundOf, network }) => refundOf && displayTxId(familyOf(network), refundOf)],
  ["token", ({ token, network }) => displayAddress(familyOf(network), token)],
];

/**
 * Returns a merchant's transfers of a month as a file, followed by its refunds. In a workbook, the sheet with the sums and the sheets in
 * `more` come first.
 */
export function exportMonth(
  db: Db,
  merchantId: string,
  month: Month,
  form: FileForm,
  more: readonly Sheet[] = [],
): ReadableStream<Uint8Array> {
  const sums = { name: "Sums", head: SUM_HEAD, rows: sumRows(db, merchantId, month) };
  const head = COLUMNS.map(([name]) => name);
  return streamFile([sums, ...more, { name: "Transfers", head, rows: ledgerRows(db, merchantId, month) }], form);
}

async function* sumRows(db: Db, merchantId: string, month: Month): AsyncGenerator<Cell[][]> {
  const sums = [...(await sumLedger(db, merchantId, month)), ...(await sumRefunds(db, merchantId, month))];
  yield sums.map((sum) => {
    return [sum.network, sum.currency, sum.kind, { decimal: String(sum.transfers) }, amountOf(sum)];
  });
}

async function* ledgerRows(db: Db, merchantId: string, month: Month): AsyncGenerator<Cell[][]> {
  for (const read of [readLedger, readRefunds])
    for await (const some of read(db, merchantId, month))
      yield some.map((row) => COLUMNS.map(([, value]) => value(row)));
}

const familyOf = (network: string) => findNetwork(network)?.family ?? "evm";

function amountOf({ network, currency, units }: LedgerSum): Cell {
  return currency === null ? null : { decimal: formatUnits(units, decimalsOf({ network, currency })) };
}
