import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { revokeInvitationsOf } from "@/db/queries/users/invitations";
import { deleteMembership, lockMember, lockOwners, setFactorAsked, updateRole } from "@/db/queries/users/memberships";
import { type Actor, may, READ_ONLY, type Role } from "@/lib/domain/keys/role";
import { type Problem, problem } from "@/lib/domain/problems/problem";

const LAST_OWNER = problem("last_owner");
const GONE = problem("member_unknown");

type Done = true | { problem: Problem };
type Changer = Omit<Actor, "role">;

/** Changes the role of a user in the shop, for an owner. The last owner's role cannot be changed, even with concurrent calls. */
export async function changeRole(
  db: Db,
  actor: Changer,
  { userId, role }: { userId: string; role: Role },
  now: Date,
): Promise<Done> {
  const { merchantId } = actor;
  return db.transaction(async (tx) => {
    const owners = await lockOwners(tx, merchantId);
    if (!owners.includes(actor.userId)) return { problem: READ_ONLY };
    const member = await lockMember(tx, { merchantId, userId });
    if (!member) return { problem: GONE };
    if (member.role === role) return true;
    if (isLast(owners, userId)) return { problem: LAST_OWNER };
    await updateRole(tx, { merchantId, userId, role });
    if (!may(role, "own")) await revokeInvitationsOf(tx, { merchantId, userId }, now);
    const detail = { email: member.email, from: member.role, to: role };
    await insertAuditEvent(tx, { ...actor, action: "member.role_changed", detail }, now);
    return true;
  });
}

/** Removes a user from the shop, for an owner, or on the user's own request. The last owner cannot be removed. */
export async function removeMember(db: Db, actor: Changer, userId: string, now: Date): Promise<Done> {
  const { merchantId } = actor;
  const isLeaving = userId === actor.userId;
  return db.transaction(async (tx) => {
    const owners = await lockOwners(tx, merchantId);
    if (!isLeaving && !owners.includes(actor.userId)) return { problem: READ_ONLY };
    const member = await lockMember(tx, { merchantId, userId });
    if (!member) return { problem: GONE };
    if (isLast(owners, userId)) return { problem: LAST_OWNER };
    await deleteMembership(tx, { merchantId, userId });
    await revokeInvitationsOf(tx, { merchantId, userId }, now);
    const detail = { email: member.email, role: member.role };
    await insertAuditEvent(tx, { ...actor, action: isLeaving ? "member.left" : "member.removed", detail }, now);
    return true;
  });
}

const isLast = (owners: readonly string[], userId: string) => owners.length === 1 && owners[0] === userId;

/** Turns the requirement of second factors for the shop on or off; the owner who sets it must have one. */
export async function askFactors(
  db: Db,
  { factors, ...actor }: Changer & { factors: { hasTotp: boolean; passkeys: number } },
  isAsked: boolean,
  now: Date,
): Promise<Done> {
  if (isAsked && !factors.hasTotp && factors.passkeys === 0) return { problem: problem("own_factor_missing") };
  return db.transaction(async (tx) => {
    const owners = await lockOwners(tx, actor.merchantId);
    if (!owners.includes(actor.userId)) return { problem: READ_ONLY };
    const isNew = await setFactorAsked(tx, actor.merchantId, isAsked);
    const event = { ...actor, action: isAsked ? "second_factor.asked" : "second_factor.asked_no_more" } as const;
    if (isNew) await insertAuditEvent(tx, event, now);
    return true;
  });
}
