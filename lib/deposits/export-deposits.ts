import type { Db } from "@/db/client";
import { type ListedDeposit, readAllDepositAddresses } from "@/db/queries/deposits/deposit-list";
import { displayAddress } from "@/lib/domain/addresses/address";
import type { DepositFilter } from "@/lib/domain/deposits/filter";
import { receivedByCurrency } from "@/lib/domain/deposits/received";
import { CURRENCIES, type Currency, getNetwork } from "@/lib/domain/networks";
import type { Cell, FileForm } from "@/lib/domain/reports";
import { streamFile } from "@/lib/reports/file-stream";

type Column = [head: string, value: (deposit: ListedDeposit) => Cell];

const COLUMNS: readonly Column[] = [
  ["deposit_address_id", ({ id }) => id],
  ["customer_ref", ({ customerRef }) => customerRef],
  ["network", ({ network }) => network],
  ["address", ({ address, network }) => displayAddress(getNetwork(network).family, address)],
  ...CURRENCIES.map((currency): Column => [`${currency.toLowerCase()}_received`, (one) => received(one, currency)]),
  ["transfers", ({ count }) => ({ decimal: String(count) })],
  ["last_transfer_at", ({ lastAt }) => lastAt],
  ["created_at", ({ createdAt }) => createdAt],
  ["reversed_transfers", ({ reversed }) => ({ decimal: String(reversed) })],
];

/**
 * Exports the deposit addresses of a merchant that match a filter, with their final deposits, newest first. The file is read from the
 * database while it is sent.
 * @returns the bytes; cancelling the stream stops the reads
 */
export function exportDeposits(
  db: Db,
  merchantId: string,
  filter: DepositFilter,
  form: FileForm,
): ReadableStream<Uint8Array> {
  const rows = toRows(readAllDepositAddresses(db, merchantId, filter));
  return streamFile([{ name: "Deposits", head: COLUMNS.map(([head]) => head), rows }], form);
}

async function* toRows(deposits: AsyncIterable<readonly ListedDeposit[]>): AsyncGenerator<Cell[][]> {
  for await (const some of deposits) yield some.map((one) => COLUMNS.map(([, value]) => value(one)));
}

function received({ sums }: ListedDeposit, currency: Currency): Cell {
  const own = receivedByCurrency(sums).find((sum) => sum.currency === currency);
  return { decimal: own?.amount ?? "0" };
}
