"use server";

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { revalidatePath } from "next/cache";
import { confirmChange } from "@/app/confirm-change";
import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { authenticateAction, requireMay } from "@/app/session";
import { type FieldError, type Problem, problem, refuse } from "@/lib/domain/problems/problem";
import { beginTotp, finishTotp, removePasskey, removeTotp, renewCodes } from "@/lib/users/change-factors";
import { askPasskey, beginPasskey, finishPasskey } from "@/lib/users/passkeys";
import { revokeOtherSessions, revokeSession } from "@/lib/users/session";

type Answer<T> = Promise<{ ok: T } | { errors: FieldError[] }>;

interface Refused {
  problem: Problem;
}

const PAGE = "/dashboard/settings/security";

/** Ends another session of the user. */
export async function endOne(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const allowed = await requireMay("look", form);
  if ("errors" in allowed) return allowed;
  const { pool, now } = getContext();
  const isEnded = await revokeSession(
    pool.db,
    { ...(await authenticateAction(allowed.person)), id: textOf(form, "id") },
    now(),
  );
  revalidatePath(PAGE);
  return isEnded ? { ok: true } : refuse("", problem("session_already_ended"));
}

/** Ends all other sessions of the user. Returns their number. */
export async function endOthers(form: FormData): Promise<{ ok: number } | { errors: FieldError[] }> {
  const allowed = await requireMay("look", form);
  if ("errors" in allowed) return allowed;
  const { pool, now } = getContext();
  const { session } = allowed.person;
  const count = await revokeOtherSessions(
    pool.db,
    { ...(await authenticateAction(allowed.person)), except: session.id },
    now(),
  );
  revalidatePath(PAGE);
  return { ok: count };
}

const LACKING = { mayLackFactor: true } as const;

/** Starts the setup of an authenticator app, after the user confirmed their identity. Returns the secret. */
export async function startTotp(form: FormData): Answer<{ secret: string; uri: string }> {
  const confirmed = await confirmChange(form, "look", LACKING);
  if ("errors" in confirmed) return confirmed;
  const { db, env, person } = confirmed;
  return answerOf(await beginTotp(db, { appSecret: env.appSecret, user: person.user }), "");
}

/**
 * Enables the authenticator app after the user entered a valid code. Returns recovery codes, which are shown only once.
 */
export async function enableTotp(form: FormData): Answer<{ codes: string[] }> {
  const allowed = await requireMay("look", form, LACKING);
  if ("errors" in allowed) return allowed;
  const { env, pool, now } = getContext();
  const one = { appSecret: env.appSecret, ...(await authenticateAction(allowed.person)), code: textOf(form, "code") };
  return answerOf(await finishTotp(pool.db, one, now()), "code");
}

/** Removes the authenticator app after the user confirmed their identity. */
export async function disableTotp(form: FormData): Answer<true> {
  const confirmed = await confirmChange(form, "look");
  if ("errors" in confirmed) return confirmed;
  return answerOf(await removeTotp(confirmed.db, confirmed.who, confirmed.now), "");
}

/** Creates new recovery codes after the user confirmed their identity. Returns them, to be shown only once. */
export async function makeRecoveryCodes(form: FormData): Answer<{ codes: string[] }> {
  const confirmed = await confirmChange(form, "look");
  if ("errors" in confirmed) return confirmed;
  return answerOf(await renewCodes(confirmed.db, confirmed.who, confirmed.now), "");
}

/** Returns the WebAuthn options to create a passkey, after the user confirmed their identity. */
export async function startPasskey(form: FormData): Answer<PublicKeyCredentialCreationOptionsJSON> {
  const confirmed = await confirmChange(form, "look", LACKING);
  if ("errors" in confirmed) return confirmed;
  const { db, env, person, now } = confirmed;
  return answerOf(await beginPasskey(db, env, person.user, now), "");
}

/** Adds the passkey that a device created. Returns recovery codes if it is the first second factor. */
export async function addPasskey(form: FormData): Answer<{ codes: string[] | null }> {
  const allowed = await requireMay("look", form, LACKING);
  if ("errors" in allowed) return allowed;
  const { env, pool, now } = getContext();
  const one = {
    ...(await authenticateAction(allowed.person)),
    name: textOf(form, "name"),
    answer: textOf(form, "passkey"),
  };
  return answerOf(await finishPasskey(pool.db, env.publicUrl, one, now()), "name");
}

/** Removes a passkey after the user confirmed their identity. */
export async function dropPasskey(form: FormData): Answer<true> {
  const confirmed = await confirmChange(form, "look");
  if ("errors" in confirmed) return confirmed;
  const one = { ...confirmed.who, id: textOf(form, "id") };
  return answerOf(await removePasskey(confirmed.db, one, confirmed.now), "");
}

/** Returns the WebAuthn request options with which the user confirms their identity. */
export async function askOwnPasskey(form: FormData): Answer<PublicKeyCredentialRequestOptionsJSON> {
  const allowed = await requireMay("look", form);
  if ("errors" in allowed) return allowed;
  const { env, pool, now } = getContext();
  return { ok: await askPasskey(pool.db, env.publicUrl, allowed.person.user.id, now()) };
}

function answerOf<T>(done: T, field: string): { ok: Exclude<T, Refused> } | { errors: FieldError[] } {
  return isProblem(done) ? refuse(field, done.problem) : { ok: done as Exclude<T, Refused> };
}

function isProblem(done: unknown): done is Refused {
  return typeof done === "object" && done !== null && "problem" in done;
}
