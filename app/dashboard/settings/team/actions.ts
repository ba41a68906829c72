"use server";

import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { getContext } from "@/app/context";
import { readForm, textOf } from "@/app/form-fields";
import { authenticateAction, requireMay } from "@/app/session";
import { type FieldError, type Problem, problem, refuse } from "@/lib/domain/problems/problem";
import { invite, revokeInvitation as revoke } from "@/lib/users/invitations";
import { askFactors as ask, changeRole as change, removeMember as remove } from "@/lib/users/team";
import { INVITATION_FORM, ROLE_FORM } from "@/lib/users/user-forms";

type Answer<T> = Promise<{ ok: T } | { errors: FieldError[] }>;

const PAGE = "/dashboard/settings/team";

/** Creates an invitation after the user confirmed the password. Returns its link, which is shown only once. */
export async function invitePerson(form: FormData): Answer<{ link: string; email: string }> {
  const confirmed = await confirmChange(form, "own");
  if ("errors" in confirmed) return confirmed;
  const { db, env, who, now } = confirmed;
  const fields = readForm(form, INVITATION_FORM);
  if ("errors" in fields) return fields;
  const invited = await invite(db, who, fields, now);
  if ("errors" in invited) return invited;
  return { ok: { link: `${env.publicUrl}/invite/${invited.token}`, email: fields.email } };
}

/** Revokes an invitation. */
export async function revokeInvitation(form: FormData): Answer<true> {
  const allowed = await requireMay("own", form);
  if ("errors" in allowed) return allowed;
  const { pool, now } = getContext();
  const isRevoked = await revoke(
    pool.db,
    { ...(await authenticateAction(allowed.person)), id: textOf(form, "id") },
    now(),
  );
  revalidatePath(PAGE);
  return isRevoked ? { ok: true } : refuse("", problem("invitation_not_pending"));
}

/** Changes the role of a member, after the user confirmed the password. */
export async function changeRole(form: FormData): Answer<true> {
  const confirmed = await confirmChange(form, "own");
  if ("errors" in confirmed) return confirmed;
  const read = readForm(form, ROLE_FORM);
  if ("errors" in read) return read;
  const member = { userId: textOf(form, "userId"), ...read };
  return answer(await change(confirmed.db, confirmed.who, member, confirmed.now));
}

/** Removes a member from the shop, after the user confirmed the password. */
export async function removeMember(form: FormData): Answer<true> {
  const confirmed = await confirmChange(form, "own");
  if ("errors" in confirmed) return confirmed;
  return answer(await remove(confirmed.db, confirmed.who, textOf(form, "userId"), confirmed.now));
}

/** Leaves the shop, after the user confirmed the password. */
export async function leaveShop(form: FormData): Answer<true> {
  const confirmed = await confirmChange(form, "look");
  if ("errors" in confirmed) return confirmed;
  return answer(await remove(confirmed.db, confirmed.who, confirmed.who.userId, confirmed.now));
}

/** Starts or stops requiring a second factor from all members of the shop, after the user confirmed their identity. */
export async function askFactors(form: FormData): Answer<true> {
  const confirmed = await confirmChange(form, "own");
  if ("errors" in confirmed) return confirmed;
  const { db, who, person, now } = confirmed;
  return answer(await ask(db, { ...who, factors: person.factors }, textOf(form, "asks") === "yes", now));
}

function answer(done: true | { problem: Problem }): { ok: true } | { errors: FieldError[] } {
  revalidatePath("/dashboard", "layout");
  return done === true ? { ok: true } : refuse("", done.problem);
}
