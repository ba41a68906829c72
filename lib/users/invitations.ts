import { createHash, randomBytes } from "node:crypto";
import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import {
  findInvitation as findPending,
  insertInvitation,
  listInvitations,
  lockInvitation,
  type PendingInvitation,
  revokeInvitation as revoke,
  spendInvitation,
} from "@/db/queries/users/invitations";
import { insertMembership, listMembers } from "@/db/queries/users/memberships";
import { setSessionShop } from "@/db/queries/users/sessions";
import { findUserByEmail, insertUser } from "@/db/queries/users/users";
import type { Env } from "@/lib/config/env";
import { formReader } from "@/lib/domain/fields/form";
import { newId } from "@/lib/domain/id";
import type { Role } from "@/lib/domain/keys/role";
import { type FieldError, type Problem, problem, refuse } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { hashPassword } from "@/lib/users/password";
import { isRegisteringTooOften } from "@/lib/users/register";
import { openSession, originOf, type Person, type Visitor } from "@/lib/users/session";
import { newPassword } from "@/lib/users/user-forms";

/** The time for which an invitation link is valid. */
const INVITED_MS = 7 * 24 * 3_600_000;
const MAX_PENDING = 50;

/** The problem of an invalid invitation link. */
const INVITATION_GONE = problem("invitation_invalid");
const CLOSED = problem("registration_closed");

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");

/**
 * Invites an email address into a shop and replaces its earlier invitation.
 * @returns the token of the link, shown once, or the problem
 */
export async function invite(
  db: Db,
  who: { merchantId: string; userId: string; from?: RequestOrigin | undefined },
  { email: typed, role }: { email: string; role: Role },
  now: Date,
): Promise<{ token: string } | { errors: FieldError[] }> {
  const { merchantId, userId: invitedBy } = who;
  const email = typed.toLowerCase();
  const members = await listMembers(db, merchantId);
  if (members.some((member) => member.email === email)) return refuse("email", problem("member_exists"));
  const pending = await listInvitations(db, merchantId, now);
  if (pending.length >= MAX_PENDING) return refuse("", problem("too_many_invitations", { max: MAX_PENDING }));
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(now.getTime() + INVITED_MS);
  const row = { id: newId(now), merchantId, tokenHash: hashOf(token), email, role, invitedBy, expiresAt };
  await db.transaction(async (tx) => {
    await insertInvitation(tx, row, now);
    await insertAuditEvent(tx, { ...who, action: "invitation.created", detail: { email, role } }, now);
  });
  return { token };
}

/** Revokes an invitation. Returns false if it is no longer pending. */
export async function revokeInvitation(
  db: Db,
  { id, ...who }: { id: string; merchantId: string; userId: string; from?: RequestOrigin | undefined },
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const email = await revoke(tx, { id, merchantId: who.merchantId }, now);
    if (email === null) return false;
    await insertAuditEvent(tx, { ...who, action: "invitation.revoked", detail: { email } }, now);
    return true;
  });
}

/** Returns the invitation of a link; null if it is invalid. `hasAccount` is true if its email address already has an account. */
export async function findInvitation(
  db: Db,
  token: string,
  now: Date,
): Promise<(PendingInvitation & { hasAccount: boolean }) | null> {
  const invitation = await findPending(db, hashOf(token), now);
  return invitation && { ...invitation, hasAccount: (await findUserByEmail(db, invitation.email)) !== null };
}

/** Adds an existing user to the shop of an invitation link and switches their session to it. The link must be addressed to them. */
export async function joinShop(
  db: Db,
  person: Pick<Person, "user" | "session"> & { from?: RequestOrigin | undefined },
  token: string,
  now: Date,
): Promise<true | { problem: Problem }> {
  return db.transaction(async (tx) => {
    const invitation = await lockInvitation(tx, hashOf(token), now);
    if (!invitation) return { problem: INVITATION_GONE };
    if (invitation.email !== person.user.email)
      return { problem: problem("invitation_for_other", { invited: invitation.email, email: person.user.email }) };
    await enter(tx, invitation, { userId: person.user.id, from: person.from }, now);
    await setSessionShop(tx, person.session.id, invitation.merchantId);
    return true;
  });
}

/** Registers the user whom a link invites, adds them to its shop, and signs them in. */
export async function registerInvited(
  db: Db,
  { registration }: Pick<Env, "registration">,
  form: Visitor & { token: string; password: string },
  now: Date,
): Promise<{ sessionId: string } | { errors: FieldError[] }> {
  if (await isRegisteringTooOften(db, form.ip, now)) return refuse("", problem("too_many_registrations"));
  if (registration === "closed") return refuse("", CLOSED);
  const invited = await findPending(db, hashOf(form.token), now);
  const read = formReader({ password: newPassword(invited ? [invited.email, invited.merchantName] : []) })(form);
  if ("errors" in read) return read;
  const passwordHash = await hashPassword(read.password);
  return db.transaction(async (tx) => {
    const invitation = await lockInvitation(tx, hashOf(form.token), now);
    if (!invitation) return refuse("", INVITATION_GONE);
    const userId = newId(now);
    if (!(await insertUser(tx, { id: userId, email: invitation.email, passwordHash }, now)))
      return refuse("", problem("email_just_registered"));
    await enter(tx, invitation, { userId, from: originOf(form) }, now);
    const sessionId = await openSession(tx, { id: userId, passwordHash }, form, now);
    return sessionId === null ? refuse("", INVITATION_GONE) : { sessionId };
  });
}

async function enter(
  tx: Db,
  invitation: PendingInvitation,
  { userId, from }: { userId: string; from: RequestOrigin | undefined },
  now: Date,
): Promise<void> {
  const { id, merchantId, role, email } = invitation;
  await spendInvitation(tx, id, now);
  if (await insertMembership(tx, { merchantId, userId, role }, now))
    await insertAuditEvent(tx, { merchantId, userId, from, action: "member.joined", detail: { email, role } }, now);
}
