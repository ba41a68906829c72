import type { Db } from "@/db/client";
import {
  findAddressOwner,
  findOtherKind,
  insertAddress,
  listAddresses,
  listAddressMacs,
  lockAddress,
  type NewAddress,
  updateAddress,
} from "@/db/queries/merchants/address-settings";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { readAddressForm } from "@/lib/domain/addresses/address-forms";
import type { AddressKind } from "@/lib/domain/addresses/load";
import type { AuditAction } from "@/lib/domain/audit/audit";
import { newId } from "@/lib/domain/id";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import type { ListCursor } from "@/lib/domain/list-cursor";
import { getNetwork, networkTitle } from "@/lib/domain/networks";
import { type FieldError, type Problem, problem, refuse } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { addressMac, addressVerifier } from "@/lib/merchants/vault";

export interface AddressForm {
  merchantId: string;
  /** A network's id or alias, as in lib/domain/networks.ts. */
  network: string;
  /** The address as typed. */
  address: string;
  kind: AddressKind;
  label: string;
  userId: string;
  from?: RequestOrigin | undefined;
}

interface OneAddress {
  merchantId: string;
  id: string;
  userId: string;
  from?: RequestOrigin | undefined;
}

export type AddressAdded = { id: string; address: string } | { errors: FieldError[] };

/**
 * Adds a receiving address of a merchant, with its MAC, so that a change outside the application is detected. An address that the merchant
 * removed before is restored.
 * @returns its canonical form, or the problem
 */
export async function addAddress(
  db: Db,
  { appSecret }: { appSecret: AppSecret },
  form: AddressForm,
  now: Date,
): Promise<AddressAdded> {
  const read = readAddressForm(form);
  if ("errors" in read) return read;
  const { network, address, label } = read;
  const identity = { merchantId: form.merchantId, network: network.id, address, kind: form.kind };
  const row = { ...identity, id: newId(now), label, mac: addressMac(appSecret, identity) };
  return db.transaction(async (tx) => {
    const id = await insertAddress(tx, row, now);
    if (!id) return refuse("address", await whyRefused(tx, row, networkTitle(network)));
    await record(tx, { ...form, id }, "address.added", { ...identity, label: row.label }, now);
    return { id, address };
  });
}

/** Returns the problem with an address that could not be added. The problem reveals no facts about other merchants. */
export async function whyRefused(tx: Db, row: NewAddress, network: string): Promise<Problem> {
  const other = await findOtherKind(tx, row);
  const owner = await findAddressOwner(tx, row.network, row.address);
  if (other && (!owner || owner.merchantId === row.merchantId)) return otherKindText(other);
  if (owner?.merchantId !== row.merchantId) return problem("address_not_available", { network });
  if (!owner.removedAt) return problem("address_exists", { network });
  return problem("address_kind_in_use", { kind: kindText(owner.kind) });
}

function otherKindText({ network, kind }: { network: string; kind: AddressKind }): Problem {
  return problem("address_kind_differs", { kind: kindText(kind), network: networkTitle(getNetwork(network)) });
}

const kindText = (kind: AddressKind) => problem(`address_kind_${kind}`);

/**
 * Returns one page of a merchant's addresses, newest first. `hasInvalidMac` is true if an address was changed in the database and fails
 * its MAC check.
 */
export async function listCheckedAddresses(
  db: Db,
  { appSecret }: { appSecret: AppSecret },
  merchantId: string,
  cursor: ListCursor,
  limit: number,
) {
  const isVerified = addressVerifier(appSecret);
  const page = await listAddresses(db, merchantId, cursor, limit);
  const rows = page.rows.map(({ mac, ...row }) => ({
    ...row,
    hasInvalidMac: !isVerified({ ...row, merchantId, mac }),
  }));
  return { ...page, rows };
}

const MAX_UNVERIFIED_SHOWN = 50;

/** Returns the merchant's addresses that were changed in the database: their number, and the newest fifty. */
export async function findUnverifiedAddresses(db: Db, { appSecret }: { appSecret: AppSecret }, merchantId: string) {
  const isVerified = addressVerifier(appSecret);
  const primary = await listAddressMacs(db, merchantId);
  const ids = primary.filter((row) => !isVerified({ ...row, merchantId })).map(({ id }) => id);
  if (ids.length === 0) return { count: 0, rows: [] };
  const { rows } = await listAddresses(db, merchantId, null, MAX_UNVERIFIED_SHOWN, ids);
  return { count: ids.length, rows: rows.map(({ mac, ...row }) => ({ ...row, hasInvalidMac: true })) };
}

/** Makes an address unavailable to new orders. Returns false if there is no such address. */
export async function pauseAddress(db: Db, address: OneAddress, now: Date): Promise<boolean> {
  return change(db, address, { pausedAt: now }, "address.paused", now);
}

/** Makes a paused address available to new orders again. An address that fails its MAC check stays paused. */
export async function resumeAddress(
  db: Db,
  { appSecret }: { appSecret: AppSecret },
  address: OneAddress,
  now: Date,
): Promise<"resumed" | "gone" | "tampered"> {
  return db.transaction(async (tx) => {
    const row = await lockAddress(tx, address);
    if (!row) return "gone";
    if (!addressVerifier(appSecret)(row)) return "tampered";
    await change(tx, address, { pausedAt: null }, "address.resumed", now);
    return "resumed";
  });
}

/** Sets the label of an address. The caller validates the label. Returns false if there is no such address. */
export async function labelAddress(db: Db, address: OneAddress & { label: string }, now: Date): Promise<boolean> {
  return change(db, address, { label: address.label.trim() }, "address.labelled", now);
}

/** Removes an address: new orders do not use it, but transfers to it are still recorded. Returns false if there is no such address. */
export async function removeAddress(db: Db, address: OneAddress, now: Date): Promise<boolean> {
  return change(db, address, { removedAt: now }, "address.removed", now);
}

async function change(
  db: Db,
  address: OneAddress,
  values: Parameters<typeof updateAddress>[2],
  action: AuditAction,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await updateAddress(tx, address, values);
    if (!changed) return false;
    const detail = "label" in values ? { ...changed, label: values.label } : changed;
    await record(tx, address, action, detail, now);
    return true;
  });
}

async function record(tx: Db, address: OneAddress, action: AuditAction, detail: Record<string, unknown>, now: Date) {
  const { merchantId, userId, from } = address;
  await insertAuditEvent(tx, { merchantId, userId, from, action, detail: { addressId: address.id, ...detail } }, now);
}
