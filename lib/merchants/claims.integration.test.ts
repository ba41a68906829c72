import { pbkdf2Sync } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DbPool, openDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { claimAddress, listPending, settleClaim } from "@/db/queries/merchants/address-claims";
import { addressClaims, familyAddresses, quotes, receivingAddresses } from "@/db/schema";
import { ACCOUNT_PATHS, deriveAddresses } from "@/lib/domain/addresses/xpub";
import { urlOfCell } from "@/lib/domain/cells";
import { createLog } from "@/lib/log";
import { addAddressList } from "@/lib/merchants/add-address-list";
import { addSource } from "@/lib/merchants/address-sources";
import { addAddress, removeAddress } from "@/lib/merchants/addresses";
import { enterCells, tidyClaims } from "@/lib/merchants/claims";
import { createMerchantWithOwner } from "@/lib/users/register";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedOrder, TEST_APP_SECRET } from "@/testing/database/seed";
import { TEST_APP_ROLE } from "@/testing/database/server";

/** Two cells of one database, and one of another. */
const one = useTestDb();
const other = useTestDb();
const NAMES = ["00", "01", "02"] as const;
type Name = (typeof NAMES)[number];
const now = new Date("2026-03-01T10:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const context = { appSecret: TEST_APP_SECRET, log: createLog("test", "fatal") };
const root = HDKey.fromMasterSeed(pbkdf2Sync(`${"abandon ".repeat(11)}about`, "mnemonic", 2_048, 64, "sha512"));
const XPUB = root.derive(ACCOUNT_PATHS.evm).publicExtendedKey;

interface Cell {
  pool: DbPool;
  shop: { merchantId: string; userId: string };
}
const cells = new Map<string, Cell>();
const cell = (name: Name): Cell => {
  const found = cells.get(name);
  if (!found) throw new Error(`There is no cell ${name}`);
  return found;
};
const db = (name: Name) => cell(name).pool.db;
const urlOf = (name: Name) => urlOfCell(name === "02" ? other.url : one.url, name);

beforeAll(async () => {
  const ownerUrls = [urlOfCell(one.ownerUrl, "01"), urlOfCell(other.ownerUrl, "02")];
  await Promise.all(ownerUrls.map((url) => migrate(url, undefined, TEST_APP_ROLE)));
  for (const name of NAMES) {
    const directoryUrl = name === "00" ? null : one.url;
    const pool = openDb(urlOf(name), { work: "none", max: 3, directoryUrl });
    const owner = { name: "Tea House", email: `owner-${name}@example.com`, password: "correct horse battery" };
    cells.set(name, { pool, shop: await createMerchantWithOwner(pool.db, owner, now) });
  }
});
afterAll(async () => void (await Promise.all([...cells.values()].map(({ pool }) => pool.close()))));

let count = 0x5000;
const freshAddress = () => `0x${"0".repeat(36)}${(count++).toString(16)}`;
const add = (name: Name, address: string, at = now, network = "ethereum") =>
  addAddress(db(name), context, { ...cell(name).shop, network, address, kind: "shared", label: "" }, at);
const isAdded = async (name: Name, address: string, at = now, network = "ethereum") =>
  "id" in (await add(name, address, at, network));
const claimOf = async (address: string) =>
  (await one.pool.db.select().from(addressClaims).where(eq(addressClaims.address, address)))[0];
const usersOf = async (address: string) => {
  const rows = await Promise.all(
    NAMES.map((name) => db(name).select().from(receivingAddresses).where(eq(receivingAddresses.address, address))),
  );
  return NAMES.filter((_, index) => (rows[index]?.length ?? 0) > 0);
};

test.each([
  ["00", ["01", "02"]],
  ["01", ["00", "02"]],
  ["02", ["00", "01"]],
] as const)(
  "what a shop of cell %s receives at, no shop of another cell can, on any network of the family",
  async (mine, others) => {
    const address = freshAddress();
    expect(await isAdded(mine, address)).toBe(true);
    for (const name of others)
      for (const network of ["ethereum", "bsc"]) {
        const answer = await add(name, address, now, network);
        expect(answer).toMatchObject({
          errors: [
            {
              field: "address",
              message: expect.stringMatching(/cannot be added on .*choose one that only your shop uses/),
            },
          ],
        });
      }
    expect(await usersOf(address)).toEqual([mine]);
    expect(await isAdded(mine, address, now, "bsc")).toBe(true);
    expect(await add(mine, address)).toMatchObject({ errors: [{ message: expect.stringContaining("already") }] });
    expect((await claimOf(address))?.cell).toBe(mine);
  },
);

test("of shops of three cells that add one address at the same moment one has it", async () => {
  const addresses = Array.from({ length: 12 }, freshAddress);
  await Promise.all(addresses.flatMap((address) => NAMES.map((name) => add(name, address))));
  for (const address of addresses) {
    const users = await usersOf(address);
    expect(users).toHaveLength(1);
    expect((await claimOf(address))?.cell).toBe(users[0]);
  }
});

test("the first cell asks no more often than it did without a directory, and another cell once more", async () => {
  const countOf = async (url: string, directoryUrl: string | null, name: Name) => {
    let count = 0;
    const watch = () => {
      count += 1;
      return () => {};
    };
    const pool = openDb(url, { work: "none", max: 1, directoryUrl, watch });
    const form = {
      ...cell(name).shop,
      network: "ethereum",
      address: freshAddress(),
      kind: "shared",
      label: "",
    } as const;
    expect(await addAddress(pool.db, context, form, now)).toHaveProperty("id");
    await pool.close();
    return count;
  };
  // The owner, another kind, the address, the record, the letter to its people: as many as before there were claims.
  expect(await countOf(urlOf("00"), null, "00")).toBe(5);
  expect(await countOf(urlOf("01"), one.url, "01")).toBe(6);
});

test("a removed address stays its cell's, for what comes late is still seen there", async () => {
  const address = freshAddress();
  const answer = await add("01", address);
  if ("errors" in answer) throw new Error("refused");
  expect(await removeAddress(db("01"), { ...cell("01").shop, id: answer.id }, later(1))).toBe(true);
  await tidyClaims(db("01"), later(24 * 60));
  expect(await isAdded("00", address, later(24 * 60))).toBe(false);
  expect(await isAdded("01", address, later(24 * 60))).toBe(true);
});

test("lines of a list, and a public key, are refused where another cell has the address", async () => {
  const taken = freshAddress();
  const free = freshAddress();
  await add("00", taken);
  const form = { ...cell("02").shop, network: "ethereum", kind: "dedicated", label: "", isPartial: false } as const;
  expect(await addAddressList(db("02"), context, { ...form, text: `${free}\n${taken}` }, now)).toEqual({
    good: 1,
    problems: [{ line: 2, message: expect.stringContaining("only your shop uses") }],
  });
  expect(await usersOf(free)).toEqual([]);
  const [derived = ""] = deriveAddresses("evm", XPUB, 7, 1);
  const source = { family: "evm", text: XPUB, label: "", networks: ["ethereum"], most: 20 } as const;
  expect(await isAdded("00", derived)).toBe(true);
  expect(await addSource(db("01"), context, { ...cell("01").shop, ...source }, now)).toMatchObject({
    errors: [{ field: "xpub", message: expect.stringContaining("only your shop uses") }],
  });
});

test("who dies between claim and use leaves a claim that its cell takes again, and gives up after an hour", async () => {
  const again = freshAddress();
  const unused = freshAddress();
  for (const address of [again, unused]) {
    expect(await claimAddress(one.pool.db, "02", { family: "evm", address }, now)).toBe(true);
    expect(await isAdded("00", address)).toBe(false);
  }
  expect(await isAdded("02", again, later(1))).toBe(true);
  await tidyClaims(db("02"), later(59));
  expect((await claimOf(unused))?.pendingSince).toEqual(now);
  await tidyClaims(db("02"), later(62));
  expect(await claimOf(again)).toMatchObject({ cell: "02", pendingSince: null });
  expect(await claimOf(unused)).toBeUndefined();
  expect(await isAdded("00", unused, later(63))).toBe(true);
});

test("a claim that is made anew while it is looked at stays", async () => {
  const address = freshAddress();
  await claimAddress(one.pool.db, "01", { family: "evm", address }, now);
  const claim = (await listPending(one.pool.db, "01", later(1), 500)).find((row) => row.address === address);
  if (!claim) throw new Error("It was not listed");
  expect(await isAdded("01", address, later(70))).toBe(true);
  await settleClaim(one.pool.db, claim, false);
  expect(await claimOf(address)).toMatchObject({ cell: "01", pendingSince: later(70) });
});

test("a cell that was opened without the directory adds nothing", async () => {
  const pool = openDb(urlOf("01"), { work: "none", max: 1 });
  const address = freshAddress();
  const form = { ...cell("01").shop, network: "ethereum", address, kind: "shared", label: "" } as const;
  await expect(addAddress(pool.db, context, form, now)).rejects.toThrow("without the directory");
  await pool.close();
  expect(await usersOf(address)).toEqual([]);
});

const seedOld = (name: Name, address: string) =>
  seedAddress(db(name), { merchantId: cell(name).shop.merchantId, address }, now);
const enter = (...names: Name[]) => enterCells(names.map(db), later(300));

test("what cells had before there was a directory is entered, once and again, however many there are", async () => {
  const old = new Map(NAMES.map((name) => [name, freshAddress()]));
  for (const [name, address] of old) await seedOld(name, address);
  const many = Array.from({ length: 1_100 }, (_, index) => `0x${"7".repeat(34)}${(index + 0x100000).toString(16)}`);
  const { merchantId } = cell("02").shop;
  await db("02")
    .insert(familyAddresses)
    .values(many.map((address) => ({ family: "evm" as const, address, merchantId })));
  expect(await enter(...NAMES)).toEqual([]);
  expect(await enter(...NAMES)).toEqual([]);
  for (const [name, address] of old) {
    expect(await claimOf(address)).toEqual({ family: "evm", address, cell: name, pendingSince: null });
    for (const stranger of NAMES.filter((each) => each !== name)) expect(await isAdded(stranger, address)).toBe(false);
  }
  const entered = await one.pool.db.select().from(addressClaims).where(eq(addressClaims.cell, "02"));
  expect(many.filter((address) => !entered.some((claim) => claim.address === address))).toEqual([]);
});

test("an address that two cells use is told; removed in one, and held no more, it is the other's", async () => {
  const address = freshAddress();
  const here = await seedOld("00", address);
  const there = await seedOld("02", address);
  const order = await seedOrder(db("00"), { address: here, baseUnits: 5_000_000n }, now);
  const shared = [{ family: "evm", address, claimedBy: "00", usedBy: "02" }];
  expect(await enter("00", "01", "02")).toEqual(shared);
  expect((await claimOf(address))?.cell).toBe("00");
  await removeAddress(db("00"), { ...cell("00").shop, id: here.id }, later(1));
  expect(await enter("00", "02")).toEqual(shared);
  await db("00")
    .update(quotes)
    .set({ releasedAt: later(220) })
    .where(eq(quotes.id, order.quoteId));
  // A cell that cannot be asked keeps what it claimed.
  expect(await enter("02")).toEqual(shared);
  expect(await enter("00", "02")).toEqual([]);
  expect(await claimOf(address)).toEqual({ family: "evm", address, cell: "02", pendingSince: null });
  expect(await isAdded("00", address, later(301))).toBe(false);
  await removeAddress(db("02"), { ...cell("02").shop, id: there.id }, later(302));
  expect(await isAdded("02", address, later(303))).toBe(true);
});

test("an address that its cell has just claimed once more is taken by no other", async () => {
  const address = freshAddress();
  const here = await seedOld("00", address);
  await removeAddress(db("00"), { ...cell("00").shop, id: here.id }, later(1));
  await claimAddress(one.pool.db, "00", { family: "evm", address }, later(299));
  const there = await seedOld("01", address);
  expect(await enter("00", "01")).toHaveLength(1);
  await removeAddress(db("01"), { ...cell("01").shop, id: there.id }, later(299));
  expect(await enter("00", "01")).toEqual([]);
  expect((await claimOf(address))?.cell).toBe("00");
});
