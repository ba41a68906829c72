import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { auditEvents, receivingAddresses } from "@/db/schema";
import { readAddressListForm } from "@/lib/domain/addresses/address-forms";
import { type AddressList, addAddressList } from "@/lib/merchants/add-address-list";
import { addAddress, listCheckedAddresses, removeAddress } from "@/lib/merchants/addresses";
import { createMerchantWithOwner } from "@/lib/users/register";
import { useTestDb } from "@/testing/database/clone";
import { inSentences } from "@/testing/problem-sentences";

const now = new Date("2026-03-01T10:00:00Z");
const context = { appSecret: "a secret of at least 32 characters" };
const database = useTestDb();
const db = () => database.pool.db;

let shop: { merchantId: string; userId: string };
let stranger: { merchantId: string; userId: string };
beforeAll(async () => {
  const owner = { name: "Tea House", email: "owner@example.com", password: "correct horse battery" };
  shop = await createMerchantWithOwner(db(), owner, now);
  stranger = await createMerchantWithOwner(db(), { ...owner, email: "other@example.com" }, now);
});

let count = 0x1000;
const fresh = () => `0x${"0".repeat(36)}${(count++).toString(16)}`;
const addList = async (
  lines: string[],
  { label = "", network = "bsc", ...changes }: Partial<Omit<AddressList, "network">> & { network?: string } = {},
) => {
  const read = readAddressListForm({ network, label, text: lines.join("\n") });
  if ("errors" in read) return read;
  const list = { ...shop, ...read, kind: "dedicated" as const, isPartial: false, ...changes };
  return addAddressList(db(), context, list, now);
};
const listMine = async () => (await listCheckedAddresses(db(), context, shop.merchantId, null, 1_000)).rows;

test("a valid list is added completely, each address with a MAC and an audit entry", async () => {
  const lines = [fresh(), "", `  ${fresh().toUpperCase().replace("0X", "0x")} \r`, fresh()];
  expect(await addList(lines, { label: " Pool " })).toEqual({ added: 3, problems: [] });
  const mine = await listMine();
  expect(mine).toHaveLength(3);
  expect(mine).toMatchObject([{ kind: "dedicated", label: "Pool", hasInvalidMac: false, network: "bsc" }, {}, {}]);
  expect(await db().$count(auditEvents, eq(auditEvents.action, "address.added"))).toBe(3);
});

test("all problems are reported with their lines, and nothing is added", async () => {
  const reserved = fresh();
  const foreign = fresh();
  const good = fresh();
  await addList([reserved]);
  await addAddress(db(), context, { ...stranger, network: "bsc", address: foreign, kind: "shared", label: "" }, now);
  const before = (await listMine()).length;
  const answer = await addList([good, "0x12", good, reserved, "", foreign]);
  expect(inSentences(answer)).toEqual({
    good: 1,
    problems: [
      { line: 2, problem: expect.stringContaining("is not an address on BNB Smart Chain") },
      { line: 3, problem: "The same address as on line 1" },
      { line: 4, problem: expect.stringContaining("already") },
      { line: 6, problem: expect.stringContaining("cannot be added") },
    ],
  });
  expect(JSON.stringify(answer)).not.toContain("Tea House");
  expect(await listMine()).toHaveLength(before);
});

test("a list with an existing address is not added either", async () => {
  const reserved = fresh();
  await addList([reserved]);
  const before = (await listMine()).length;
  expect(inSentences(await addList([fresh(), reserved]))).toMatchObject({ good: 1, problems: [{ line: 2 }] });
  expect(await listMine()).toHaveLength(before);
});

test("a person may add the good lines; the same list again adds nothing twice", async () => {
  const lines = [fresh(), "nonsense", fresh()];
  expect(inSentences(await addList(lines, { isPartial: true }))).toMatchObject({ added: 2, problems: [{ line: 2 }] });
  expect(inSentences(await addList(lines, { isPartial: true }))).toMatchObject({
    added: 0,
    problems: [{ line: 1 }, { line: 2 }, { line: 3 }],
  });
});

test("an address that was removed comes back by a list", async () => {
  const address = fresh();
  await addList([address]);
  const id = (await listMine()).find((one) => one.address === address)?.id ?? "";
  await removeAddress(db(), { ...shop, id }, now);
  expect(await addList([address])).toEqual({ added: 1, problems: [] });
  const [row] = await db().select().from(receivingAddresses).where(eq(receivingAddresses.id, id));
  expect(row?.removedAt).toBeNull();
});

test("an empty list, too long a list, an unknown network and a long label are refused as a form", async () => {
  expect(await addList(["", " "])).toMatchObject({ errors: [{ field: "text" }] });
  expect(await addList(Array.from({ length: 1_001 }, fresh))).toMatchObject({ errors: [{ field: "text" }] });
  expect(await addList([fresh()], { network: "dogecoin" })).toMatchObject({ errors: [{ field: "network" }] });
  expect(await addList([fresh()], { label: "x".repeat(61) })).toMatchObject({ errors: [{ field: "label" }] });
});
