import { createHash } from "node:crypto";
import type { Db } from "@/db/client";
import { insertSource, isAnyTaken, removeDerived, updateSource } from "@/db/queries/merchants/address-sources";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { type AddressOrigin, FIRST_INDEX, ownAddresses } from "@/lib/domain/addresses/own-addresses";
import { type OwnershipClaim, ownershipProblem } from "@/lib/domain/addresses/ownership";
import { deriveAddresses, readXpub, type XpubFamily } from "@/lib/domain/addresses/xpub";
import { newId } from "@/lib/domain/id";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { getNetwork, isOffered } from "@/lib/domain/networks";
import { type FieldError, fieldError, type Problem, problem, refuse } from "@/lib/domain/problems/problem";
import type { Place } from "@/lib/domain/users/place";
import type { Log } from "@/lib/log";
import { validateLabel } from "@/lib/merchants/addresses";
import { AHEAD, deriveMore, sourceSeal } from "@/lib/merchants/derive-addresses";
import { seal } from "@/lib/merchants/vault";

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
  /** Shows that the account is the merchant's; left out where a person compared its addresses alone. */
  proof?: OwnershipProof;
}

/** A signature of `ownershipText`. */
export interface OwnershipProof extends Pick<OwnershipClaim, "shop" | "publicUrl" | "until"> {
  signature: string;
}

type Checked = { errors: FieldError[] } | { xpub: string };

/** So many addresses at most, unless a merchant says otherwise. */
export const USUAL_MOST = 500;
export const LARGEST_MOST = 10_000;

/** Reads what a person pasted of a public key and chose with it, or says of every field what is wrong. */
export function validateSource(form: Pick<SourceForm, "family" | "text" | "label" | "networks" | "most">): Checked {
  const errors: FieldError[] = [];
  const add = (field: string, wrong: Problem) => errors.push(fieldError(field, wrong));
  const read = readXpub(form.family, form.text);
  if ("problem" in read) add("xpub", read.problem);
  const label = validateLabel(form.label);
  if (label) add("label", label);
  if (form.networks.length === 0) add("networks", problem("networks_choice_missing"));
  const isWrong = form.networks.some((id) => {
    const network = getNetwork(id);
    return network.family !== form.family || !isOffered(network);
  });
  if (isWrong) add("networks", problem("networks_choice_unknown"));
  const most = validateMost(form.most);
  if (most) add("most", most);
  return "problem" in read || errors.length > 0 ? { errors } : { xpub: read.xpub };
}

/** What is wrong with a largest number of addresses, in words, or null. */
export function validateMost(most: number): Problem | null {
  if (Number.isInteger(most) && most >= 1 && most <= LARGEST_MOST) return null;
  return problem("derived_count_out_of_range");
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
  const { family, networks, proof } = form;
  const [address = ""] = deriveAddresses(family, checked.xpub, 0, 1);
  const unproved = proof ? ownershipProblem({ ...proof, family, address }, proof.signature, now) : null;
  if (unproved) return refuse("signature", unproved);
  const origin = { kind: "xpub" as const, family, key: checked.xpub };
  const kept = await keepSource(
    db,
    ctx,
    { ...form, origin, networks: [...new Set(networks)], isProved: proof !== undefined },
    now,
  );
  if (kept === "taken") return refuse("xpub", problem("xpub_not_available"));
  return kept === "double" ? refuse("xpub", problem("xpub_exists")) : kept;
}

/** What a merchant's addresses are to come from; everything in it has been checked. */
export interface NewSource {
  merchantId: string;
  userId: string;
  from?: Place | undefined;
  origin: AddressOrigin;
  label: string;
  /** Where its addresses serve at once. */
  networks: string[];
  most: number;
  /** A signature of its first address was seen; left out: none was. */
  isProved?: boolean;
}

/** Stores what addresses come from, sealed, with the first of them. `taken`: another shop uses them; `double`: it is there already. */
export async function keepSource(
  db: Db,
  ctx: { appSecret: AppSecret; log: Log },
  { merchantId, userId, from, origin, most, networks, isProved = false, ...typed }: NewSource,
  now: Date,
): Promise<{ id: string } | "taken" | "double"> {
  const { kind, family, key } = origin;
  const id = newId(now);
  const label = typed.label.trim();
  const keyHash = createHash("sha256").update(key).digest("hex");
  const keyCipher = seal(ctx.appSecret, sourceSeal(id), key);
  const first = ownAddresses(origin, FIRST_INDEX[kind], AHEAD);
  return db.transaction(async (tx) => {
    if (await isAnyTaken(tx, { merchantId, family, keyHash }, first)) return "taken";
    const facts = { id, merchantId, family, kind, keyCipher, keyHash, label, networks, most };
    const provedAt = isProved ? now : null;
    if (!(await insertSource(tx, { ...facts, provedAt, nextIndex: FIRST_INDEX[kind], createdAt: now })))
      return "double";
    const detail = { name: label, family, networks, most, ...(isProved && { proved: true }) };
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
