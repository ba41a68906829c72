import { z } from "zod";
import type { Db } from "@/db/client";
import { type AttemptRule, takeAttemptOf } from "@/db/queries/merchants/attempts";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { insertMerchant } from "@/db/queries/merchants/merchants";
import { insertMembership } from "@/db/queries/users/memberships";
import { hasUsers, insertUser, lockRegistration } from "@/db/queries/users/users";
import type { Env } from "@/lib/config/env";
import { newId } from "@/lib/domain/id";
import { type FieldError, fieldError, type Problem, problem } from "@/lib/domain/problems/problem";
import type { Place } from "@/lib/domain/users/place";
import { isEqual, setUpCode } from "@/lib/merchants/vault";
import { hashPassword, validatePassword } from "@/lib/users/password";
import { openSession, placeOf, type Visitor } from "@/lib/users/session";

interface NewOwner {
  name: string;
  email: string;
  password: string;
  /** Whether they look after the installation too. */
  isOperator?: boolean;
}

/** Adds a merchant and its first person, who owns it. The caller has checked the fields. */
export async function createMerchantWithOwner(
  db: Db,
  owner: NewOwner,
  now: Date,
): Promise<{ merchantId: string; userId: string }> {
  const passwordHash = await hashPassword(owner.password);
  const made = await db.transaction((tx) => insertOwner(tx, { ...owner, passwordHash, isEmailVerified: true }, now));
  if (!made) throw new Error("Somebody has this e-mail address already");
  return made;
}

/** Tries are limited by where the visitor is. */
export interface Registration extends Omit<NewOwner, "isOperator">, Visitor {
  /** The set-up code that the service prints at its start; asked of the first visitor alone. */
  code: string;
}

export type Registered = { sessionId: string } | { errors: FieldError[] } | { refused: "closed" | "tooMany" };

/** Returns whether the first user, who sets the installation up, has registered. */
export const isSetUp: (db: Db) => Promise<boolean> = hasUsers;

const TRIES: AttemptRule = { count: 20, windowMs: 900_000 };

/** Counts a try to register from where a visitor is. @returns whether there were too many of late */
export async function isRegisteringTooOften(db: Db, ip: Visitor["ip"], now: Date): Promise<boolean> {
  return (await takeAttemptOf(db, "register:ip", ip, TRIES, now)) > 0;
}

/**
 * Registers the first visitor, who proves by the set-up code to be the operator, as such and as the owner of the first shop, and
 * signs them in. Of any number at once one succeeds; from then on registration is what the installation says: where it is open,
 * everybody registers with a shop of their own. Their e-mail address is unverified until they follow a mailed link; the operator's counts as verified.
 */
export async function register(
  db: Db,
  { appSecret, registration }: Pick<Env, "appSecret" | "registration">,
  form: Registration,
  now: Date,
): Promise<Registered> {
  if (await isRegisteringTooOften(db, form.ip, now)) return { refused: "tooMany" };
  const isFirst = !(await hasUsers(db));
  if (!isFirst && registration !== "open") return { refused: "closed" };
  const errors = validateRegistration(form, isFirst ? setUpCode(appSecret) : null);
  if (errors.length > 0) return { errors };
  const passwordHash = await hashPassword(form.password);
  return db.transaction(async (tx) => {
    if (isFirst) await lockRegistration(tx);
    if (isFirst && (await hasUsers(tx))) return { refused: "closed" };
    const owner = await insertOwner(
      tx,
      { ...form, passwordHash, isOperator: isFirst, isEmailVerified: isFirst, from: placeOf(form) },
      now,
    );
    if (!owner) return { errors: [fieldError("email", problem("email_registered"))] };
    const sessionId = await openSession(tx, { id: owner.userId, passwordHash }, form, now);
    return sessionId === null ? { refused: "closed" } : { sessionId };
  });
}

/** Null, and nothing written, when somebody has the e-mail address already. */
async function insertOwner(
  tx: Db,
  owner: Omit<NewOwner, "password"> & { passwordHash: string; isEmailVerified: boolean; from?: Place },
  now: Date,
) {
  const userId = newId(now);
  const email = owner.email.trim().toLowerCase();
  const { passwordHash, isEmailVerified, isOperator = false } = owner;
  if (!(await insertUser(tx, { id: userId, email, passwordHash, isOperator, isEmailVerified }, now))) return null;
  return { merchantId: await insertShop(tx, { name: owner.name, userId, email, from: owner.from }, now), userId };
}

/** Adds a merchant that a person owns, and records it. */
export async function insertShop(
  tx: Db,
  { name, userId, email, from }: { name: string; userId: string; email: string; from?: Place | undefined },
  now: Date,
): Promise<string> {
  const merchantId = newId(now);
  await insertMerchant(tx, { id: merchantId, name: name.trim() }, now);
  await insertMembership(tx, { merchantId, userId, role: "owner" }, now);
  await insertAuditEvent(tx, { merchantId, userId, from, action: "merchant.registered", detail: { email } }, now);
  return merchantId;
}

function validateRegistration(form: Registration, code: string | null): FieldError[] {
  const problems: [field: string, wrong: Problem | null][] = [
    ["code", code === null ? null : validateCode(form.code, code)],
    ["name", validateName(form.name)],
    ["email", validateEmail(form.email)],
    ["password", validatePassword(form.password, [form.email, form.name])],
  ];
  return problems.flatMap(([field, wrong]) => (wrong ? [fieldError(field, wrong)] : []));
}

function validateCode(typed: string, code: string): Problem | null {
  const bare = (text: string) => text.replace(/[\s-]/g, "").toUpperCase();
  return isEqual(bare(typed), bare(code)) ? null : problem("setup_secret_wrong");
}

/** What is wrong with the name of a shop, in words, or null. */
export function validateName(name: string): Problem | null {
  const length = [...name.trim()].length;
  return length >= 1 && length <= 100 ? null : problem("shop_name_missing");
}

/** What is wrong with an e-mail address, in words, or null. */
export function validateEmail(email: string): Problem | null {
  const typed = email.trim();
  if (z.email().max(254).safeParse(typed).success) return null;
  return typed ? problem("email_malformed", { given: typed.slice(0, 60) }) : problem("email_missing");
}
