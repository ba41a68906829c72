import type { Db } from "@/db/client";
import { insertAddress } from "@/db/queries/merchants/address-settings";
import {
  listDerivedAfter,
  listDerivedIndexes,
  listHungry,
  lockSource,
  type SourceRow,
  updateSource,
} from "@/db/queries/merchants/address-sources";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { followFilled, listUnfilled, markFilled } from "@/db/queries/merchants/receiver-trials";
import { pauseAddress } from "@/db/queries/merchants/receiving-addresses";
import { type AddressOrigin, FIRST_INDEX, isOwnAddress, ownAddresses } from "@/lib/domain/addresses/own-addresses";
import { newId } from "@/lib/domain/id";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import type { Log } from "@/lib/log";
import { isAppSecretVerified } from "@/lib/merchants/check-app-secret";
import { addressMac, addressVerifier, derivationOf, open } from "@/lib/merchants/vault";

/**
 * The number of idle addresses that are derived ahead of orders. Wallets look for payments this far beyond the last used address (BIP-44,
 * address gap limit).
 */
export const AHEAD = 20;
const SOURCE_BATCH = 20;
const CHECK_CONCURRENCY = 25;
const TEND_EVERY_MS = 2_000;
const CHECK_EVERY_MS = 30_000;

/**
 * Creates the worker's task for derived addresses. It derives addresses ahead of each source's orders, and verifies existing ones
 * repeatedly. Any number of workers may run it.
 * @returns a function that runs one round and resolves to the milliseconds until the next
 */
export function createAddressTender(db: Db, ctx: { appSecret: AppSecret; log: Log }): (now: Date) => Promise<number> {
  const cursor: CheckCursor = { after: "" };
  let checkAt = 0;
  return async (now) => {
    const fed = (await fillNetworks(db, ctx, now)) + (await deriveAhead(db, ctx, now));
    if (now.getTime() >= checkAt) {
      checkAt = now.getTime() + CHECK_EVERY_MS;
      await checkDerived(db, ctx, cursor, now);
    }
    return fed > 0 ? 0 : TEND_EVERY_MS;
  };
}

/**
 * Derives addresses for sources with few idle ones. This happens ahead of orders, and never during the creation of an order.
 * @returns the number of sources for which addresses were derived
 */
export async function deriveAhead(db: Db, ctx: { appSecret: AppSecret; log: Log }, now: Date): Promise<number> {
  let fed = 0;
  for (const source of await listHungry(db, AHEAD, SOURCE_BATCH)) {
    try {
      if (await deriveMore(db, ctx, source, now)) fed += 1;
    } catch (err) {
      ctx.log.error({ err, addressSource: source.id }, "addresses could not be derived; the next round will retry");
    }
  }
  return fed;
}

/**
 * Adds a source's existing addresses on networks that were activated for it later, for example after a later trial of its receivers.
 * @returns the number of networks that were processed
 */
async function fillNetworks(db: Db, ctx: { appSecret: AppSecret; log: Log }, now: Date): Promise<number> {
  let filled = 0;
  for (const { merchantId, sourceId, network } of await listUnfilled(db, SOURCE_BATCH)) {
    try {
      if (await fillMore(db, ctx, { merchantId, sourceId, network }, now)) filled += 1;
    } catch (err) {
      ctx.log.error(
        { err, addressSource: sourceId, network },
        "addresses could not be added; the next round will retry",
      );
    }
  }
  return filled;
}

async function fillMore(
  db: Db,
  { appSecret }: { appSecret: AppSecret },
  { merchantId, sourceId, network }: { merchantId: string; sourceId: string; network: string },
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const row = await lockSource(tx, merchantId, sourceId);
    const from = row && (await markFilled(tx, { merchantId, sourceId, network }, { step: AHEAD, max: row.nextIndex }));
    if (!row || from === null) return false;
    const count = Math.min(AHEAD, row.nextIndex - from);
    // Skipped indexes have no addresses.
    const indexes = await listDerivedIndexes(tx, row, from, count);
    const addresses = indexes.size === 0 ? [] : ownAddresses(originOf(appSecret, row), from, count);
    for (const [step, address] of addresses.entries()) {
      const sourceIndex = from + step;
      if (indexes.has(sourceIndex))
        await insertDerived(tx, appSecret, { ...row, networks: [network] }, { address, sourceIndex }, now);
    }
    return true;
  });
}

/**
 * Derives the next addresses of a source, each on all of its networks. Returns false if the source was removed, is not active on any
 * network yet, or is locked by another process.
 */
export async function deriveMore(
  db: Db,
  { appSecret, log }: { appSecret: AppSecret; log: Log },
  source: Pick<SourceRow, "id" | "merchantId">,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const row = await lockSource(tx, source.merchantId, source.id);
    if (!row || row.networks.length === 0) return false;
    const count = Math.min(AHEAD, row.max - (row.nextIndex - row.skipped - FIRST_INDEX[row.kind]));
    if (count <= 0) return false;
    const addresses = ownAddresses(originOf(appSecret, row), row.nextIndex, count);
    let added = 0;
    for (const [step, address] of addresses.entries())
      added += await insertDerived(tx, appSecret, row, { address, sourceIndex: row.nextIndex + step }, now);
    if (added === 0) log.warn({ addressSource: row.id }, "no derived address was added: all of them exist already");
    await updateSource(tx, row, { nextIndex: row.nextIndex + count });
    await followFilled(tx, row, { from: row.nextIndex, to: row.nextIndex + count });
    const detail = { name: row.label, count, first: row.nextIndex };
    await insertAuditEvent(tx, { merchantId: row.merchantId, action: "address_source.derived", detail }, now);
    return true;
  });
}

/**
 * Inserts a derived address on all networks of its source.
 * @returns the number of networks on which it was added; where it already exists, it is unchanged
 */
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
    // The ids sort the addresses by index in lists.
    const id = newId(new Date(now.getTime() + (sourceIndex - source.nextIndex)));
    const row = { ...identity, ...derivation, source: source.kind, id, label: "", mac };
    if (await insertAddress(tx, row, now)) added += 1;
  }
  return added;
}

/** The position after which the next verification continues. */
export interface CheckCursor {
  after: string;
}

/**
 * Derives some addresses again and compares them. An address that its source does not derive, or that fails its MAC, is paused and
 * reported. Each call continues from `cursor`, and restarts after the last address.
 * @returns the number of addresses checked
 */
export async function checkDerived(
  db: Db,
  { appSecret, log }: { appSecret: AppSecret; log: Log },
  cursor: CheckCursor,
  now: Date,
): Promise<number> {
  const rows = await listDerivedAfter(db, cursor.after, CHECK_CONCURRENCY);
  cursor.after = rows.length < CHECK_CONCURRENCY ? "" : (rows.at(-1)?.id ?? "");
  const isVerified = addressVerifier(appSecret);
  for (const row of rows) {
    if (row.pausedAt !== null) continue;
    const { id, merchantId, network, address, sourceId } = row;
    const origin = openOrigin(appSecret, row);
    if (origin === null)
      log.error(
        { addressSource: sourceId },
        "the source of addresses cannot be decrypted, so it cannot be checked: check APP_SECRET",
      );
    if (origin === null || (isVerified(row) && isOfItsOrigin(origin, row))) continue;
    if (!(await isAppSecretVerified(db, isVerified))) {
      log.error(
        { network, address },
        "a derived address cannot be verified: APP_SECRET is not the secret of this installation",
      );
      continue;
    }
    log.error(
      { network, address, addressSource: sourceId },
      "a derived address does not match its source; it was paused",
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

/**
 * Decrypts an origin. Returns null if it was encrypted under a different APP_SECRET or was changed. Null does not mean that an address was
 * changed.
 */
function openOrigin(
  appSecret: AppSecret,
  { sourceId, sourceKind, family, keyCipher }: DerivedRow,
): AddressOrigin | null {
  try {
    return originOf(appSecret, { id: sourceId, kind: sourceKind, family, keyCipher });
  } catch {
    return null;
  }
}

function isOfItsOrigin(origin: AddressOrigin, { mac, address, sourceId, sourceIndex }: DerivedRow): boolean {
  const derivation = derivationOf(mac);
  if (derivation?.sourceId !== sourceId || derivation.sourceIndex !== sourceIndex) return false;
  return isOwnAddress(origin, derivation.sourceIndex, address);
}

/**
 * Returns the decrypted origin of a source.
 * @throws Error if it was encrypted under a different APP_SECRET, or changed
 */
export function originOf(
  appSecret: AppSecret,
  { id, kind, family, keyCipher }: Pick<SourceRow, "id" | "kind" | "family" | "keyCipher">,
): AddressOrigin {
  return { kind, family, key: open(appSecret, sourceMacName(id), keyCipher) };
}

/** Returns the name of the row to which a source's key or treasury is bound. */
export const sourceMacName = (id: string) => `address_sources:${id}`;
