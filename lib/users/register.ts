import type { Db } from "@/db/client";
import { type AttemptRule, takeAttemptOf } from "@/db/queries/merchants/attempts";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { insertMerchant } from "@/db/queries/merchants/merchants";
import { insertMembership } from "@/db/queries/users/memberships";
import { hasUsers, insertUser, lockRegistration } from "@/db/queries/users/users";
import type { Env } from "@/lib/config/env";
import { formReader } from "@/lib/domain/fields/form";
import { newId } from "@/lib/domain/id";
import { type FieldError, fieldError, problem } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { setUpCode } from "@/lib/merchants/vault";
import { hashPassword } from "@/lib/users/password";
import { openSession, originOf, type Visitor } from "@/lib/users/session";
import { registrationForm } from "@/lib/users/user-forms";

interface NewOwner {
  name: string;
  email: string;
  password: string;
  /** True if the owner is also an operator. */
  isOperator?: boolean;
}

/** Adds a merchant and its first user, who owns it. The caller has validated the fields. */
export async function createMerchantWithOwner(
  db: Db,
  owner: NewOwner,
  now: Date,
): Promise<{ merchantId: string; userId: string }> {
  const passwordHash = await hashPassword(owner.password);
  const made = await db.transaction((tx) => insertOwner(tx, { ...owner, passwordHash, isEmailVerified: true }, now));
  if (!made) throw new Error("This email address is already registered");
  return made;
}

/** The form of a registration. Attempts are limited by the visitor's IP address. */
export interface Registration extends Omit<NewOwner, "isOperator">, Visitor {
  /** The setup code that the service prints at startup. Only the first visitor must enter it. */
  code: string;
}

export type Registered = { sessionId: string } | { errors: FieldError[] } | { refused: "closed" | "tooMany" };

/** Returns true if the first user, who sets up the installation, has registered. */
export const isSetUp: (db: Db) => Promise<boolean> = hasUsers;

const TRIES: AttemptRule = { count: 20, windowMs: 900_000 };

/**
 * Counts a registration attempt from a visitor's IP address.
 * @returns true if there were too many recently
 */
export async function isRegisteringTooOften(db: Db, ip: Visitor["ip"], now: Date): Promise<boolean> {
  return (await takeAttemptOf(db, "register:ip", ip, TRIES, now)) > 0;
}

/**
 * Registers the first visitor as operator and as owner of the first shop, and signs them in. The visitor must enter the setup code, which
 * proves that they are the operator. Only one of several concurrent calls succeeds. From then on, the registration setting applies: if
 * registration is open, every visitor can register with a shop of their own. Their email address is unverified until they follow an
 * emailed link. The operator's address counts as verified.
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
  const read = formReader(registrationForm(isFirst ? setUpCode(appSecret) : null))(form);
  if ("errors" in read) return read;
  const passwordHash = await hashPassword(read.password);
  return db.transaction(async (tx) => {
    if (isFirst) await lockRegistration(tx);
    if (isFirst && (await hasUsers(tx))) return { refused: "closed" };
    const owner = await insertOwner(
      tx,
      { ...form, passwordHash, isOperator: isFirst, isEmailVerified: isFirst, from: originOf(form) },
      now,
    );
    if (!owner) return { errors: [fieldError("email", problem("email_registered"))] };
    const sessionId = await openSession(tx, { id: owner.userId, passwordHash }, form, now);
    return sessionId === null ? { refused: "closed" } : { sessionId };
  });
}

/** Inserts an owner. Returns null, without writing, if the email address exists. */
async function insertOwner(
  tx: Db,
  owner: Omit<NewOwner, "password"> & { passwordHash: string; isEmailVerified: boolean; from?: RequestOrigin },
  now: Date,
) {
  const userId = newId(now);
  const email = owner.email.trim().toLowerCase();
  const { passwordHash, isEmailVerified, isOperator = false } = owner;
  if (!(await insertUser(tx, { id: userId, email, passwordHash, isOperator, isEmailVerified }, now))) return null;
  return { merchantId: await insertShop(tx, { name: owner.name, userId, email, from: owner.from }, now), userId };
}

/** Adds a merchant that a user owns, and records it. */
export async function insertShop(
  tx: Db,
  { name, userId, email, from }: { name: string; userId: string; email: string; from?: RequestOrigin | undefined },
  now: Date,
): Promise<string> {
  const merchantId = newId(now);
  await insertMerchant(tx, { id: merchantId, name: name.trim() }, now);
  await insertMembership(tx, { merchantId, userId, role: "owner" }, now);
  await insertAuditEvent(tx, { merchantId, userId, from, action: "merchant.registered", detail: { email } }, now);
  return merchantId;
}
