import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { findDepositAddress, type ListedDeposit, listDepositAddresses } from "@/db/queries/deposits/deposit-list";
import { listTransfersOf } from "@/db/queries/transfers/transfer-list";
import { transfers } from "@/db/schema";
import { exportDeposits } from "@/lib/deposits/export-deposits";
import { assignDepositAddress } from "@/lib/deposits/give-address";
import type { DepositFilter } from "@/lib/domain/deposits/filter";
import { receivedByCurrency } from "@/lib/domain/deposits/received";
import type { ListCursor } from "@/lib/domain/list-cursor";
import { getNetwork } from "@/lib/domain/networks";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { createLog } from "@/lib/log";
import { addressVerifier } from "@/lib/merchants/vault";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedTransfer, TEST_APP_SECRET } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
const db = () => api.pool.db;
const log = createLog("test", "fatal");
const ctx = { log, publicUrl: "https://pay.example.com", isVerifiedAddress: addressVerifier(TEST_APP_SECRET) };
const CSV = { kind: "csv", separator: "comma", hasBom: false } as const;

beforeEach(() => empty(db(), "deposit_addresses", "transfers", "events", "receiving_addresses"));

async function assign(customerRef: string, network = "bsc", merchant: { id: string; keyId: string } = api.merchant) {
  const caller = { merchantId: merchant.id, apiKeyId: merchant.keyId };
  const asked = { customerRef, network: getNetwork(network), notifyUrl: null };
  return (await assignDepositAddress(db(), ctx, caller, asked, new Date())).address.id;
}
const list = async (filter: DepositFilter = {}, cursor: ListCursor = null, limit = 50) =>
  listDepositAddresses(db(), api.merchant.id, filter, cursor, limit);
const namesOf = ({ rows }: { rows: ListedDeposit[] }) => rows.map(({ customerRef }) => customerRef);
const fileOf = async (filter: DepositFilter = {}) =>
  (await new Response(exportDeposits(db(), api.merchant.id, filter, CSV)).text()).trim().split(/\r?\n/);
/** Returns the cells of a line whose values contain no quotes or separators. */
const cellsOf = (line = "") => line.slice(1, -1).split('","');

test("an address is listed with its deposits by currency, count and last time; only final ones count", async () => {
  const on = { merchantId: api.merchant.id, address: `0x${"a1".repeat(20)}`, kind: "dedicated" } as const;
  const bsc = await seedAddress(db(), { ...on, network: "bsc" }, new Date());
  const ethereum = await seedAddress(db(), { ...on, network: "ethereum" }, new Date());
  const id = await assign("anna");
  const final = [
    await seedTransfer(db(), { address: bsc, baseUnits: 1_500n * 10n ** 15n }, new Date()),
    await seedTransfer(db(), { address: ethereum, baseUnits: 2_000_001n }, new Date()),
    await seedTransfer(db(), { address: bsc, baseUnits: 7n * 10n ** 18n, currency: "USDC" }, new Date()),
  ];
  const last = new Date(Date.now() + 5_000);
  await seedTransfer(db(), { address: bsc, baseUnits: 9n * 10n ** 18n }, last);
  for (const network of ["bsc", "ethereum"]) await matchTransfers(db(), ctx, network, last);
  for (const one of final) await db().update(transfers).set({ status: "confirmed" }).where(eq(transfers.id, one.id));
  const [row] = (await list()).rows;
  expect(row).toMatchObject({ id, customerRef: "anna", network: "bsc", count: 3, open: 1, lastAt: last });
  expect(receivedByCurrency(row?.sums ?? [])).toEqual([
    { currency: "USDT", amount: "3.500001" },
    { currency: "USDC", amount: "7" },
  ]);
  const shown = await listTransfersOf(db(), api.merchant.id, { kind: "deposit", id }, null, 3);
  const rest = await listTransfersOf(db(), api.merchant.id, { kind: "deposit", id }, shown.older, 3);
  expect([shown.rows.length, rest.rows.length, rest.older]).toEqual([3, 1, null]);
  const [head, line, ...more] = await fileOf();
  expect(cellsOf(head).slice(0, 7)).toEqual([
    "deposit_address_id",
    "customer_ref",
    "network",
    "address",
    "usdt_received",
    "usdc_received",
    "transfers",
  ]);
  expect(cellsOf(line).slice(0, 3)).toEqual([id, "anna", "bsc"]);
  expect(cellsOf(line).slice(4, 7)).toEqual(["3.500001", "7", "3"]);
  expect(more).toEqual([]);
});

test("pages walk to the end and back, each address on one of them, and a file holds them all", async () => {
  for (let index = 0; index < 7; index++) {
    await seedAddress(db(), { merchantId: api.merchant.id, network: "bsc", kind: "dedicated" }, new Date());
    await assign(`customer-${index}`);
  }
  const first = await list({}, null, 3);
  const second = await list({}, first.older, 3);
  const third = await list({}, second.older, 3);
  expect([...namesOf(first), ...namesOf(second), ...namesOf(third)]).toEqual(
    [6, 5, 4, 3, 2, 1, 0].map((index) => `customer-${index}`),
  );
  expect([first.newer, third.older]).toEqual([null, null]);
  expect(namesOf(await list({}, second.newer, 3))).toEqual(namesOf(first));
  expect(await fileOf()).toHaveLength(8);
});

test("a search finds customers whole or by their beginning, addresses and ids; a network leaves the others out", async () => {
  for (const network of ["bsc", "ethereum"])
    for (const digit of ["a", "b"]) {
      const address = `0x${(network[0] === "b" ? digit : `${digit}1`).repeat(40).slice(0, 40)}`;
      await seedAddress(db(), { merchantId: api.merchant.id, network, address, kind: "dedicated" }, new Date());
    }
  const id = await assign("anna");
  await assign("annabel");
  await assign("bernd", "ethereum");
  expect(namesOf(await list({ text: "anna" }))).toEqual(["anna"]);
  expect(namesOf(await list({ text: "ann" }))).toEqual(["annabel", "anna"]);
  expect(namesOf(await list({ text: "a%" }))).toEqual([]);
  expect(namesOf(await list({ network: "ethereum" }))).toEqual(["bernd"]);
  expect(namesOf(await list({ text: id }))).toEqual(["anna"]);
  const [anna] = (await list({ text: "anna" })).rows;
  expect(namesOf(await list({ text: anna?.address.toUpperCase().replace("0X", "0x") ?? "" }))).toEqual(["anna"]);
  expect(await fileOf({ text: "ann" })).toHaveLength(3);
});

test("another merchant's addresses are not listed", async () => {
  const other = await seedMerchant(db(), new Date());
  await seedAddress(db(), { merchantId: other.id, network: "bsc", kind: "dedicated" }, new Date());
  const id = await assign("theirs", "bsc", other);
  expect([(await list()).rows, (await list({ text: "theirs" })).rows, await fileOf()]).toEqual([
    [],
    [],
    expect.any(Array),
  ]);
  expect(await fileOf()).toHaveLength(1);
  expect(await findDepositAddress(db(), api.merchant.id, id)).toBeNull();
  expect((await listTransfersOf(db(), api.merchant.id, { kind: "deposit", id }, null, 10)).rows).toEqual([]);
});
