"use server";

import { revalidatePath } from "next/cache";
import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { requireMay } from "@/app/session";
import type { FieldError } from "@/lib/errors";
import { wrong } from "@/lib/errors";
import { revokeOtherSessions, revokeSession } from "@/lib/people/session";

const PAGE = "/dashboard/settings/security";

/** Signs another browser of the person out. */
export async function endOne(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const allowed = await requireMay("look", form);
  if ("errors" in allowed) return allowed;
  const { pool, now } = getContext();
  const isEnded = await revokeSession(pool.db, { userId: allowed.person.user.id, id: textOf(form, "id") }, now());
  revalidatePath(PAGE);
  return isEnded ? { ok: true } : wrong("", "It is signed out already");
}

/** Signs every other browser of the person out. Answers how many. */
export async function endOthers(form: FormData): Promise<{ ok: number } | { errors: FieldError[] }> {
  const allowed = await requireMay("look", form);
  if ("errors" in allowed) return allowed;
  const { pool, now } = getContext();
  const { user, session } = allowed.person;
  const count = await revokeOtherSessions(pool.db, { userId: user.id, except: session.id }, now());
  revalidatePath(PAGE);
  return { ok: count };
}
