import { pbkdf2Sync } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { and, asc, eq, sql } from "drizzle-orm";
import { privateKeyToAccount } from "viem/accounts";
import { beforeEach, expect, test } from "vitest";
import { listSources } from "@/db/queries/merchants/address-sources";
import { addressSources, auditEvents, receivingAddresses } from "@/db/schema";
import { ownershipText, SIGN_WITHIN_MS } from "@/lib/domain/addresses/ownership";
import { ACCOUNT_PATHS, deriveAddresses } from "@/lib/domain/addresses/xpub";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { addSource, limitSource, removeSource, type SourceForm } from "@/lib/merchants/address-sources";
import { checkDerived, createAddressTender, deriveAhead } from "@/lib/merchants/derive-addresses";
import { rotateAppSecret } from "@/lib/merchants/rotate-app-secret";
import { addressVerifier, open } from "@/lib/merchants/vault";
import { empty } from "@/testing/database/empty";
import { seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";
import { at, create, db, log, merchant, owner, pass, start, useHoldingShop } from "@/testing/holding-shop";
import { inSentences } from "@/testing/problem-sentences";

const KNOWN = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94".toLowerCase();
const HOLD_MINUTES = 30 + 180;
const root = HDKey.fromMasterSeed(pbkdf2Sync(`${"abandon ".repeat(11)}about`, "mnemonic", 2_048, 64, "sha512"));
const XPUB = root.derive(ACCOUNT_PATHS.evm).publicExtendedKey;
const addressAt = (index: number) => deriveAddresses("evm", XPUB, index, 1)[0];
const vault = { appSecret: TEST_APP_SECRET, log };

useHoldingShop();
beforeEach(async () => {
  await empty(db(), "address_sources", "receiving_addresses", "family_addresses");
});

function formOf(change: Partial<SourceForm> = {}): SourceForm {
  const who = { merchantId: merchant.id, userId: owner.userId };
  return { ...who, family: "evm", xpub: XPUB, label: "Shop", networks: ["ethereum", "bsc"], max: 500, ...change };
}

async function add(change: Partial<SourceForm> = {}): Promise<string> {
  const added = await addSource(db(), vault, formOf(change), start);
  if ("errors" in added) throw new Error(JSON.stringify(added.errors));
  return added.id;
}

const derivedOn = (network: string) =>
  db()
    .select()
    .from(receivingAddresses)
    .where(and(eq(receivingAddresses.network, network), eq(receivingAddresses.source, "xpub")))
    .orderBy(asc(receivingAddresses.sourceIndex));

test("a public key gives the wallet's addresses at once, on each selected network, and is stored encrypted", async () => {
  const id = await add();
  for (const network of ["ethereum", "bsc"]) {
    const rows = await derivedOn(network);
    expect(rows.map(({ address }) => address)).toEqual(deriveAddresses("evm", XPUB, 0, 20));
    expect(rows[0]).toMatchObject({ address: KNOWN, kind: "dedicated", sourceId: id, sourceIndex: 0 });
    expect(rows.every((row) => addressVerifier(TEST_APP_SECRET)(row))).toBe(true);
  }
  const [source] = await db().select().from(addressSources);
  expect(JSON.stringify(source)).not.toContain(XPUB);
  expect(open(TEST_APP_SECRET, `address_sources:${id}`, source?.keyCipher ?? "")).toBe(XPUB);
  expect(inSentences(await addSource(db(), vault, formOf(), start))).toEqual({
    errors: [{ field: "xpub", message: "You have already added this key" }],
  });
});

test("a private key is refused loudly and is in no table", async () => {
  const xpub = root.derive(ACCOUNT_PATHS.evm).privateExtendedKey ?? "";
  const answer = await addSource(db(), vault, formOf({ xpub }), start);
  expect(inSentences(answer)).toEqual({
    errors: [{ field: "xpub", message: expect.stringContaining("extended PRIVATE key") }],
  });
  expect(JSON.stringify(answer)).not.toContain(xpub);
  const [counted] = await db().execute(sql`
    select (select count(*)::int from address_sources) as sources, (select count(*)::int from audit_events) as events`);
  expect(counted).toEqual({ sources: 0, events: 0 });
});

test("a signature of the first address is kept as a proof; one of another address, or of yesterday, adds nothing", async () => {
  const proof = { shop: "Shop", publicUrl: "https://pay.example.com", until: start.getTime() + SIGN_WITHIN_MS };
  const text = ownershipText({ ...proof, family: "evm", address: KNOWN });
  const signBy = async (index: number) => {
    const { privateKey } = root.derive(`${ACCOUNT_PATHS.evm}/0/${index}`);
    const account = privateKeyToAccount(`0x${Buffer.from(privateKey ?? []).toString("hex")}`);
    return { ...proof, signature: await account.signMessage({ message: text }) };
  };
  const refused = async (form: SourceForm, now = start) => {
    const answer = await addSource(db(), vault, form, now);
    return "errors" in answer
      ? answer.errors.map((error) => `${error.field}: ${inEnglish(error).slice(0, 18).trim()}`)
      : [];
  };
  expect(await refused(formOf({ proof: await signBy(1) }))).toEqual(["signature: The text was signe"]);
  expect(await refused(formOf({ proof: { ...(await signBy(0)), shop: "Other" } }))).toEqual([
    "signature: The text was signe",
  ]);
  expect(await refused(formOf({ proof: await signBy(0) }), at(16))).toEqual(["signature: The text has expir"]);
  expect(await listSources(db(), merchant.id)).toEqual([]);
  await add({ proof: await signBy(0) });
  expect(await listSources(db(), merchant.id)).toMatchObject([{ provedAt: start }]);
  const [reported] = await db().select().from(auditEvents).where(eq(auditEvents.action, "address_source.added"));
  expect(reported?.detail).toMatchObject({ name: "Shop", proved: true });
});

test("a key whose addresses belong to another shop is refused without naming it", async () => {
  await add();
  const other = await seedMerchant(db(), start);
  const answer = await addSource(db(), vault, formOf({ merchantId: other.id }), start);
  expect(inSentences(answer)).toEqual({
    errors: [{ field: "xpub", message: "This key cannot be added: use one whose addresses only your shop uses" }],
  });
});

test("each order gets the next address, one that served before comes first again, and no network shares one at a time", async () => {
  await add();
  const one = await create("ethereum", 0);
  const two = await create("ethereum", 1);
  const onBsc = await create("bsc", 2);
  expect([one, two, onBsc].map(({ quote }) => quote.address)).toEqual([0, 1, 2].map(addressAt));
  expect(one.quote.kind).toBe("dedicated");
  expect(one.quote.baseUnits).toBe(one.amountUnits);
  const later = HOLD_MINUTES + 10;
  await pass(later);
  expect((await create("ethereum", later)).quote.address).toBe(addressAt(0));
  expect((await create("ethereum", later)).quote.address).toBe(addressAt(1));
  expect((await create("ethereum", later)).quote.address).toBe(addressAt(2));
});

test("more are derived when few wait, never more than the limit, and then the shared addresses serve", async () => {
  const id = await add({ networks: ["ethereum"], max: 22 });
  expect(await deriveAhead(db(), vault, start)).toBe(0);
  await create("ethereum", 0);
  expect(await deriveAhead(db(), vault, at(0))).toBe(1);
  expect((await derivedOn("ethereum")).length).toBe(22);
  for (let orders = 1; orders < 22; orders++) await create("ethereum", 0);
  expect(await deriveAhead(db(), vault, at(0))).toBe(0);
  await expect(create("ethereum", 0)).rejects.toThrow();
  expect(await limitSource(db(), { ...formOf(), id, max: 30 }, at(0))).toBe(true);
  const tend = createAddressTender(db(), vault);
  expect(await tend(at(0))).toBe(0);
  expect((await create("ethereum", 0)).quote.address).toBe(addressAt(22));
  expect((await derivedOn("ethereum")).length).toBe(30);
});

test("one that serves on another network does not wait: orders by turns on both get own addresses up to the limit", async () => {
  await add({ max: 100 });
  const tend = createAddressTender(db(), vault);
  const kinds: string[] = [];
  for (let order = 0; order < 100; order++) {
    kinds.push((await create(order % 2 ? "bsc" : "ethereum", 0)).quote.kind);
    if (order % 10 === 9) await tend(start);
  }
  expect(kinds.filter((kind) => kind === "dedicated")).toHaveLength(100);
  expect(await derivedOn("bsc")).toHaveLength(100);
});

test("each shop's own idle addresses decide, and used ones are counted per key", async () => {
  await add({ networks: ["ethereum"], max: 40 });
  const other = await seedMerchant(db(), start);
  const xpub = root.derive("m/44'/60'/1'").publicExtendedKey;
  await add({ merchantId: other.id, xpub, networks: ["ethereum"] });
  await create("ethereum", 0);
  expect(await deriveAhead(db(), vault, at(0))).toBe(1);
  expect(await deriveAhead(db(), vault, at(0))).toBe(0);
  expect(await listSources(db(), merchant.id)).toMatchObject([{ derived: 40, used: 1 }]);
  expect(await listSources(db(), other.id)).toMatchObject([{ derived: 20, used: 0 }]);
});

test("two workers that derive concurrently give each index once", async () => {
  await add({ networks: ["ethereum"] });
  for (let orders = 0; orders < 15; orders++) await create("ethereum", 0);
  await Promise.all([0, 1, 2, 3].map(() => deriveAhead(db(), vault, at(0))));
  const rows = await derivedOn("ethereum");
  expect(rows.map(({ sourceIndex }) => sourceIndex)).toEqual(rows.map((_, index) => index));
  expect(rows.map(({ address }) => address)).toEqual(deriveAddresses("evm", XPUB, 0, rows.length));
});

test("a changed database cannot misdirect an order: a changed address is refused, and a check finds a moved one", async () => {
  await add({ networks: ["ethereum"] });
  await db().execute(
    sql`insert into family_addresses (family, address, merchant_id) values ('evm', ${`0x${"66".repeat(20)}`}, ${merchant.id})`,
  );
  await db().execute(sql`update receiving_addresses set address = ${`0x${"66".repeat(20)}`} where source_index = 0`);
  await expect(create("ethereum", 0)).rejects.toThrow("The integrity check");
  // A row with a changed index still belongs to the merchant, but the key derives a different address at that index.
  await db().execute(sql`update receiving_addresses set source_index = 900 where source_index = 5`);
  expect((await create("ethereum", 0)).quote.address).toBe(addressAt(1));
  const cursor = { after: "" };
  expect(await checkDerived(db(), vault, cursor, at(1))).toBe(20);
  expect(cursor.after).toBe("");
  const paused = (await derivedOn("ethereum")).filter(({ pausedAt }) => pausedAt !== null);
  expect(paused.map(({ sourceIndex }) => sourceIndex)).toEqual([0, 900]);
  const events = await db().select().from(auditEvents).where(eq(auditEvents.action, "address.tampered"));
  expect(events.length).toBe(2);
});

test("a removed key derives no more, its addresses get no new orders, and added again it continues with them", async () => {
  const id = await add({ networks: ["ethereum"] });
  const order = await create("ethereum", 0);
  expect(await removeSource(db(), { ...formOf(), id }, at(1))).toBe(true);
  expect(await removeSource(db(), { ...formOf(), id }, at(1))).toBe(false);
  await expect(create("ethereum", 2)).rejects.toThrow();
  expect(await deriveAhead(db(), vault, at(2))).toBe(0);
  const again = await add({ networks: ["ethereum"] });
  const rows = await derivedOn("ethereum");
  expect(rows.every(({ sourceId, removedAt }) => sourceId === again && removedAt === null)).toBe(true);
  // The earlier order still holds the first address.
  expect(order.quote.address).toBe(addressAt(0));
  expect((await create("ethereum", 3)).quote.address).toBe(addressAt(1));
});

test("a new APP_SECRET encrypts the key and signs the MACs again", async () => {
  const id = await add({ networks: ["ethereum"] });
  const fresh = "the secret of this installation from now on";
  await rotateAppSecret(db(), { primary: fresh, secondary: TEST_APP_SECRET });
  const [source] = await db().select().from(addressSources);
  expect(open(fresh, `address_sources:${id}`, source?.keyCipher ?? "")).toBe(XPUB);
  expect((await derivedOn("ethereum")).every((row) => addressVerifier(fresh)(row))).toBe(true);
  expect(await checkDerived(db(), { appSecret: fresh, log }, { after: "" }, start)).toBe(20);
  expect((await derivedOn("ethereum")).every(({ pausedAt }) => pausedAt === null)).toBe(true);
});

test("a worker that cannot decrypt the key does not report its addresses", async () => {
  await add({ networks: ["ethereum"] });
  const stranger = { appSecret: "another secret than the one that sealed the key", log };
  expect(await checkDerived(db(), stranger, { after: "" }, start)).toBe(20);
  expect((await derivedOn("ethereum")).every(({ pausedAt }) => pausedAt === null)).toBe(true);
});
