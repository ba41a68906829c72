"use server";

import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { getContext } from "@/app/context";
import { knownDevice } from "@/app/device-cookie";
import { textOf } from "@/app/form-fields";
import { currentTicket, currentVisitor, dropTicket, keepSession } from "@/app/session";
import { type FieldError, refuse } from "@/lib/domain/problems/problem";
import { askVisitor, signInByPasskey } from "@/lib/users/passkeys";
import { takeSecondStep } from "@/lib/users/sign-in";

type Answer<T> = Promise<{ ok: T } | { errors: FieldError[] }>;

/** Completes the second step of signing in: verifies a code after this browser sent the correct password. */
export async function finishSignIn(form: FormData): Answer<true> {
  const ticket = await currentTicket();
  const { env, pool, now } = getContext();
  const fields = { ...(await currentVisitor()), ticket, code: textOf(form, "code") };
  const answer = await takeSecondStep(pool.db, env.appSecret, fields, now());
  if ("problem" in answer) return refuse(answer.isOver ? "" : "code", answer.problem);
  return enter(answer.sessionId);
}

/** Returns the WebAuthn request options to sign in with a passkey. */
export async function askSignIn(): Answer<PublicKeyCredentialRequestOptionsJSON> {
  const { env, pool, now } = getContext();
  const asked = await askVisitor(pool.db, env.publicUrl, await currentVisitor(), now());
  return "problem" in asked ? refuse("", asked.problem) : { ok: asked };
}

/** Signs a user in with a passkey alone. */
export async function enterByPasskey(form: FormData): Answer<true> {
  const { env, pool, now } = getContext();
  const fields = { ...(await currentVisitor()), answer: textOf(form, "passkey"), device: await knownDevice(null) };
  const answer = await signInByPasskey(pool.db, env.publicUrl, fields, now());
  return "problem" in answer ? refuse("", answer.problem) : enter(answer.sessionId);
}

async function enter(sessionId: string): Answer<true> {
  await keepSession(sessionId);
  await dropTicket();
  return { ok: true };
}
