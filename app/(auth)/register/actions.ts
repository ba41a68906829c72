"use server";

import { headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { textOf, wrong } from "@/app/form-fields";
import { startSession } from "@/app/session";
import type { FieldError } from "@/lib/errors";
import { addressNetwork, clientAddress } from "@/lib/http/visitors";
import { register } from "@/lib/merchants/register";

const REFUSED = { closed: "registered", tooMany: "tooManyTries" } as const;

/** Registers the first visitor as owner and signs them in. */
export async function registerOwner(form: FormData): Promise<{ ok: true } | { errors: FieldError[] }> {
  const { env, pool, now } = getContext();
  const fields = {
    ip: addressNetwork(clientAddress((await headers()).get("x-forwarded-for"), env.trustedProxies)),
    code: textOf(form, "code"),
    name: textOf(form, "name"),
    email: textOf(form, "email"),
    password: textOf(form, "password"),
  };
  const answer = await register(pool.db, env, fields, now());
  if ("errors" in answer) return answer;
  if ("refused" in answer) return wrong("", (await getTranslations("problems"))(REFUSED[answer.refused]));
  await startSession({ userId: answer.userId, epoch: 0 });
  return { ok: true };
}
