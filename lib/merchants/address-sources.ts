import { createHash } from "node:crypto";
import type { Db } from "@/db/client";
import { insertSource, isAnyReserved, removeDerived, updateSource } from "@/db/queries/merchants/address-sources";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { type AddressOrigin, FIRST_INDEX, ownAddresses } from "@/lib/domain/addresses/own-addresses";
import { type OwnershipClaim, ownershipProblem } from "@/lib/domain/addresses/ownership";
import { deriveAddresses, readXpub, type XpubFamily } from "@/lib/domain/addresses/xpub";
import { newId } from "@/lib/domain/id";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import type { Log } from "@/lib/log";
import { AHEAD, deriveMore, sourceMacName } from "@/lib/merchants/derive-addresses";
import { encrypt } from "@/lib/merchants/vault";

export interface SourceForm {
  merchantId: string;
  userId: string;
  from?: RequestOrigin | undefined;
  family: XpubFamily;
  xpub: string;
  label: string;
  /** The ids of networks that belong to the family. */
  networks: string[];
  max: number;
  /** Proof that the account is the merchant's; absent if a user only compared its addresses. */
  proof?: OwnershipProof;
}

/** A signature of `ownershipText`. */
export interface OwnershipProof extends Pick<OwnershipClaim, "shop" | "publicUrl" | "until"> {
  signature: string;
}

/**
 * Stores an extended public key of a merchant, encrypted, and derives its first addresses immediately, so that the next order can use one.
 * Private keys are rejected and not stored.
 */
export async function addSource(
  db: Db,
  ctx: { appSecret: AppSecret; log: Log },
  form: SourceForm,
  now: Date,
): Promise<{ id: string } | { errors: FieldError[] }> {
  const { family, networks, proof } = form;
  // This check is repeated here because a private key must never be stored.
  const checked = readXpub(family, form.xpub);
  if ("problem" in checked) return refuse("xpub", checked.problem);
  const [address = ""] = deriveAddresses(family, checked.xpub, 0, 1);
  const unproved = proof ? ownershipProblem({ ...proof, family, address }, proof.signature, now) : null;
  if (unproved) return refuse("signature", unproved);
  const origin = { kind: "xpub" as const, family, key: checked.xpub };
  const kept = await keepSource(db, ctx, { ...form, origin, networks, isProved: proof !== undefined }, now);
  if (kept === "taken") return refuse("xpub", problem("xpub_not_available"));
  return kept === "double" ? refuse("xpub", problem("xpub_exists")) : kept;
}

/** The validated source of a merchant's addresses. */
export interface NewSource {
  merchantId: string;
  userId: string;
  from?: RequestOrigin | undefined;
  origin: AddressOrigin;
  label: string;
  /** The networks on which its addresses are available immediately. */
  networks: string[];
  max: number;
  /** True if a signature of its first address was verified; absent: false. */
  isProved?: boolean;
}

/**
 * Stores a source of addresses, encrypted, with its first addresses. Returns `taken` if another merchant uses the addresses, and `double`
 * if the source already exists.
 */
export async function keepSource(
  db: Db,
  ctx: { appSecret: AppSecret; log: Log },
  { merchantId, userId, from, origin, max, networks, isProved = false, ...typed }: NewSource,
  now: Date,
): Promise<{ id: string } | "taken" | "double"> {
  const { kind, family, key } = origin;
  const id = newId(now);
  const label = typed.label.trim();
  const keyHash = createHash("sha256").update(key).digest("hex");
  const keyCipher = encrypt(ctx.appSecret, sourceMacName(id), key);
  const first = ownAddresses(origin, FIRST_INDEX[kind], AHEAD);
  return db.transaction(async (tx) => {
    if (await isAnyReserved(tx, { merchantId, family, keyHash }, first)) return "taken";
    const facts = { id, merchantId, family, kind, keyCipher, keyHash, label, networks, max };
    const provedAt = isProved ? now : null;
    if (!(await insertSource(tx, { ...facts, provedAt, nextIndex: FIRST_INDEX[kind], createdAt: now })))
      return "double";
    const detail = { name: label, family, networks, max, ...(isProved && { proved: true }) };
    const action = kind === "xpub" ? "address_source.added" : "address_source.treasury_added";
    await insertAuditEvent(tx, { merchantId, userId, from, action, detail }, now);
    await deriveMore(tx, ctx, { id, merchantId }, now);
    return { id };
  });
}

interface OneSource {
  merchantId: string;
  id: string;
  userId: string;
  from?: RequestOrigin | undefined;
}

/**
 * Sets the maximum number of addresses that are derived; existing ones are unchanged. The caller validates the number. Returns false if
 * there is no such source.
 */
export async function limitSource(db: Db, source: OneSource & { max: number }, now: Date): Promise<boolean> {
  const { merchantId, userId, from, max } = source;
  return db.transaction(async (tx) => {
    const row = await updateSource(tx, source, { max });
    if (!row) return false;
    const detail = { name: row.label, max };
    await insertAuditEvent(tx, { merchantId, userId, from, action: "address_source.limited", detail }, now);
    return true;
  });
}

/**
 * Stops deriving addresses from a source and removes its addresses for new orders; transfers to them are still recorded. Returns false if
 * there is no such source.
 */
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
