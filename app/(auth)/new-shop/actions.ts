"use server";

import { redirect } from "next/navigation";
import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { currentPerson, currentVisitor } from "@/app/session";
import type { FieldError } from "@/lib/domain/problems/problem";
import { originOf } from "@/lib/users/session";
import { makeShop as make } from "@/lib/users/shops";

/** Creates a shop that the user owns, and switches to it. */
export async function makeShop(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const person = (await currentPerson()) ?? redirect("/login");
  const from = originOf(await currentVisitor());
  const { pool, env, now } = getContext();
  const done = await make(pool.db, env, { ...person, from }, textOf(form, "name"), now());
  return done === true ? { ok: true } : done;
}
