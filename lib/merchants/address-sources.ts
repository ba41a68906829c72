import { createHash } from "node:crypto";
import { cellOf, type Db } from "@/db/client";
import { insertAddress } from "@/db/queries/merchants/address-settings";
import {
  insertSource,
  isAnyTaken,
  listDerivedAfter,
  listHungry,
  lockSource,
  removeDerived,
  type SourceRow,
  updateSource,
} from "@/db/queries/merchants/address-sources";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { pauseAddress } from "@/db/queries/merchants/receiving-addresses";
import { deriveAddresses, isDerived, readXpub, type XpubFamily } from "@/lib/domain/addresses/xpub";
import { newId } from "@/lib/domain/id";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { getNetwork, isOffered } from "@/lib/domain/networks";
import type { Place } from "@/lib/domain/people/place";
import { type FieldError, wrong } from "@/lib/errors";
import type { Log } from "@/lib/log";
import { validateLabel } from "@/lib/merchants/addresses";
import { addressMac, addressVerifier, derivationOf, open, seal } from "@/lib/merchants/vault";

export interface SourceForm {
  merchantId: string;
  userId: string;
  from?: Place | undefined;
  family: XpubFamily;
  /** As a person pasted it: perhaps a secret, so it goes nowhere before `readXpub` has seen it. */
  text: string;
  label: string;
  /** Ids of networks of the family. */
  networks: readonly string[];
  most: number;
}

type Checked = { errors: FieldError[] } | { xpub: string };

/** So many addresses at most, unless a merchant says otherwise. */
export const USUAL_MOST = 500;
export const LARGEST_MOST = 10_000;
/** Idle ones that wait for orders; as far beyond the last used one wallets look for payments (BIP-44, address gap limit). */
const AHEAD = 20;
const SOURCES_AT_ONCE = 20;
const CHECKED_AT_ONCE = 25;

/** Reads what a person pasted of a public key and chose with it, or says of every field what is wrong. */
export function validateSource(form: Pick<SourceForm, "family" | "text" | "label" | "networks" | "most">): Checked {
  const errors: FieldError[] = [];
  const add = (field: string, message: string) => errors.push({ field, message });
  const read = readXpub(form.family, form.text);
  if ("problem" in read) add("xpub", read.problem);
  const label = validateLabel(form.label);
  if (label) add("label", label);
  if (form.networks.length === 0) add("networks", "Choose at least one network");
  const isWrong = form.networks.some((id) => {
    const network = getNetwork(id);
    return network.family !== form.family || !isOffered(network);
  });
  if (isWrong) add("networks", "Choose networks of the list");
  const most = validateMost(form.most);
  if (most) add("most", most);
  return "problem" in read || errors.length > 0 ? { errors } : { xpub: read.xpub };
}

/** What is wrong with a largest number of addresses, in words, or null. */
export function validateMost(most: number): string | null {
  if (Number.isInteger(most) && most >= 1 && most <= LARGEST_MOST) return null;
  return "Type a number from 1 to 10,000";
}

/**
 * Takes in an extended public key of a merchant, sealed, and derives its first addresses at once, so that the next order can have
 * one. Private keys are refused and go nowhere.
 */
export async function addSource(
  db: Db,
  ctx: { appSecret: AppSecret; log: Log },
  form: SourceForm,
  now: Date,
): Promise<{ id: string } | { errors: FieldError[] }> {
  const checked = validateSource(form);
  if ("errors" in checked) return checked;
  const { xpub } = checked;
  const { merchantId, userId, from, family, most } = form;
  const id = newId(now, cellOf(db));
  const [label, networks] = [form.label.trim(), [...new Set(form.networks)]];
  const keyHash = createHash("sha256").update(xpub).digest("hex");
  const keyCipher = seal(ctx.appSecret, rowName(id), xpub);
  const isAdded = await db.transaction(async (tx) => {
    if (await isAnyTaken(tx, merchantId, family, deriveAddresses(family, xpub, 0, AHEAD))) return "taken";
    const row = { id, merchantId, family, keyCipher, keyHash, label, networks, most, createdAt: now };
    if (!(await insertSource(tx, row))) return "double";
    const detail = { name: label, family, networks, most };
    await insertAuditEvent(tx, { merchantId, userId, from, action: "address_source.added", detail }, now);
    await deriveMore(tx, ctx, { id, merchantId }, now);
    return "added";
  });
  if (isAdded === "taken")
    return wrong("xpub", "This key cannot be added: choose one whose addresses only your shop uses");
  if (isAdded === "double") return wrong("xpub", "You have added this key already");
  return { id };
}

interface OneSource {
  merchantId: string;
  id: string;
  userId: string;
  from?: Place | undefined;
}

/** Changes how many addresses are derived at most; those that are there stay. False: there is no such source. The caller has checked the number. */
export async function limitSource(db: Db, source: OneSource & { most: number }, now: Date): Promise<boolean> {
  const { merchantId, userId, from, most } = source;
  return db.transaction(async (tx) => {
    const row = await updateSource(tx, source, { most });
    if (!row) return false;
    const detail = { name: row.label, most };
    await insertAuditEvent(tx, { merchantId, userId, from, action: "address_source.limited", detail }, now);
    return true;
  });
}

/** Derives no more of a source and takes its addresses out of the offer; what arrives there is still seen. False: there is no such source. */
export async function removeSource(db: Db, source: OneSource, now: Date): Promise<boolean> {
  const { merchantId, userId, from } = source;
  return db.transaction(async (tx) => {
    const row = await updateSource(tx, source, { removedAt: now });
    if (!row) return false;
    const count = await removeDerived(tx, source, now);
    const detail = { name: row.label, count };
    await insertAuditEvent(tx, { merchantId, userId, from, action: "address_source.removed", detail }, now);
    return true;
  });
}

const TEND_EVERY_MS = 2_000;
const CHECK_EVERY_MS = 30_000;

/**
 * What a worker does for derived addresses: gives each source's orders some ahead, and derives those that are there again and again.
 * Any number of workers may do it.
 * @returns a round, which resolves to the milliseconds until the next
 */
export function createAddressTender(db: Db, ctx: { appSecret: AppSecret; log: Log }): (now: Date) => Promise<number> {
  const place: CheckPlace = { after: "" };
  let checkAt = 0;
  return async (now) => {
    const fed = await deriveAhead(db, ctx, now);
    if (now.getTime() >= checkAt) {
      checkAt = now.getTime() + CHECK_EVERY_MS;
      await checkDerived(db, ctx, place, now);
    }
    return fed > 0 ? 0 : TEND_EVERY_MS;
  };
}

/** Derives addresses where few wait for orders, ahead of orders and never within one. @returns how many sources gave some */
export async function deriveAhead(db: Db, ctx: { appSecret: AppSecret; log: Log }, now: Date): Promise<number> {
  let fed = 0;
  for (const source of await listHungry(db, AHEAD, now, SOURCES_AT_ONCE)) {
    try {
      if (await deriveMore(db, ctx, source, now)) fed += 1;
    } catch (err) {
      ctx.log.error({ err, addressSource: source.id }, "addresses could not be derived; the next round tries again");
    }
  }
  return fed;
}

/** The next addresses of a source, each on all of its networks. False: it is gone, or another process is at it. */
async function deriveMore(
  db: Db,
  { appSecret, log }: { appSecret: AppSecret; log: Log },
  source: Pick<SourceRow, "id" | "merchantId">,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const row = await lockSource(tx, source.merchantId, source.id);
    if (!row || row.nextIndex >= row.most) return false;
    const count = Math.min(AHEAD, row.most - row.nextIndex);
    const addresses = deriveAddresses(
      row.family,
      open(appSecret, rowName(row.id), row.keyCipher),
      row.nextIndex,
      count,
    );
    let added = 0;
    for (const [step, address] of addresses.entries())
      added += await insertDerived(tx, appSecret, row, { address, sourceIndex: row.nextIndex + step }, now);
    if (added === 0)
      log.warn({ addressSource: row.id }, "none of the derived addresses could be added: each stands already");
    await updateSource(tx, row, { nextIndex: row.nextIndex + count });
    const detail = { name: row.label, count, first: row.nextIndex };
    await insertAuditEvent(tx, { merchantId: row.merchantId, action: "address_source.derived", detail }, now);
    return true;
  });
}

/** @returns on how many networks it was added; elsewhere it stands already, and as what it is it stays */
async function insertDerived(
  tx: Db,
  appSecret: AppSecret,
  source: SourceRow,
  { address, sourceIndex }: { address: string; sourceIndex: number },
  now: Date,
): Promise<number> {
  let added = 0;
  for (const network of source.networks) {
    const identity = { merchantId: source.merchantId, network, address, kind: "dedicated" as const };
    const derivation = { sourceId: source.id, sourceIndex };
    const mac = addressMac(appSecret, identity, derivation);
    // So that they are listed in their order.
    const id = newId(new Date(now.getTime() + (sourceIndex - source.nextIndex)), cellOf(tx));
    const row = { ...identity, ...derivation, source: "xpub" as const, id, label: "", mac };
    if (await insertAddress(tx, row, now)) added += 1;
  }
  return added;
}

/** Where the looking again has come to. */
export interface CheckPlace {
  after: string;
}

/**
 * Derives some addresses once more and compares: one that its key does not give, or whose seal is broken, is paused and told of. Goes on
 * from `place` each time and begins anew after the last.
 * @returns how many were looked at
 */
export async function checkDerived(
  db: Db,
  { appSecret, log }: { appSecret: AppSecret; log: Log },
  place: CheckPlace,
  now: Date,
): Promise<number> {
  const rows = await listDerivedAfter(db, place.after, CHECKED_AT_ONCE);
  place.after = rows.length < CHECKED_AT_ONCE ? "" : (rows.at(-1)?.id ?? "");
  const isGenuine = addressVerifier(appSecret);
  for (const row of rows) {
    if (row.pausedAt !== null) continue;
    const { id, merchantId, network, address, sourceId } = row;
    const xpub = openKey(appSecret, row);
    if (xpub === null)
      log.error(
        { addressSource: sourceId },
        "a public key cannot be opened, so nothing is said of its addresses: is APP_SECRET another one?",
      );
    if (xpub === null || (isGenuine(row) && isOfItsKey(xpub, row))) continue;
    log.error(
      { network, address, addressSource: sourceId },
      "a derived address is not the one of its key; it was paused",
    );
    await db.transaction(async (tx) => {
      const detail = { addressId: id, network, address };
      if (await pauseAddress(tx, id, now))
        await insertAuditEvent(tx, { merchantId, action: "address.tampered", detail }, now);
    });
  }
  return rows.length;
}

type DerivedRow = Awaited<ReturnType<typeof listDerivedAfter>>[number];

/** Null where it was sealed under another APP_SECRET, or changed: that says nothing against an address. */
function openKey(appSecret: AppSecret, { sourceId, keyCipher }: DerivedRow): string | null {
  try {
    return open(appSecret, rowName(sourceId), keyCipher);
  } catch {
    return null;
  }
}

function isOfItsKey(xpub: string, { family, mac, address, sourceId, sourceIndex }: DerivedRow): boolean {
  const derivation = derivationOf(mac);
  if (derivation?.sourceId !== sourceId || derivation.sourceIndex !== sourceIndex) return false;
  return isDerived(family, xpub, derivation.sourceIndex, address);
}

const rowName = (id: string) => `address_sources:${id}`;
