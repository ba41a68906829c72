"use server";

import { redirect } from "next/navigation";
import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { currentPerson, currentVisitor, keepSession } from "@/app/session";
import { type FieldError, refuse } from "@/lib/domain/problems/problem";
import { joinShop, registerInvited } from "@/lib/users/invitations";
import { originOf } from "@/lib/users/session";

type Answer = Promise<{ ok: true } | { errors: FieldError[] }>;

/** Adds the signed-in user to the shop of an invitation. */
export async function join(form: FormData): Answer {
  const person = (await currentPerson()) ?? redirect("/login");
  const from = originOf(await currentVisitor());
  const { pool, now } = getContext();
  const done = await joinShop(pool.db, { ...person, from }, textOf(form, "token"), now());
  return done === true ? { ok: true } : refuse("", done.problem);
}

/** Registers the invited user and signs them in. */
export async function registerByInvitation(form: FormData): Answer {
  const token = textOf(form, "token");
  const { env, pool, now } = getContext();
  const fields = { ...(await currentVisitor()), token, password: textOf(form, "password") };
  const answer = await registerInvited(pool.db, env, fields, now());
  if ("errors" in answer) return answer;
  await keepSession(answer.sessionId);
  return { ok: true };
}
