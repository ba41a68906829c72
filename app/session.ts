import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { decode, encode } from "next-auth/jwt";
import { cache } from "react";
import { sessionCookie, visitorOf } from "@/app/auth-options";
import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { type Need, refusalOf } from "@/lib/domain/keys/role";
import type { FieldError } from "@/lib/errors";
import { wrong } from "@/lib/errors";
import { findSession, type Member, type Person, toMember, type Visitor } from "@/lib/people/session";

const OTHER_SHOP = "You went to another shop in another window. Reload this page, and look which shop it shows";

/** Who is signed in, read from the database once per request; null when nobody is, or the session was ended. */
export const currentPerson = cache(async (): Promise<Person | null> => {
  const context = getContext();
  const { name, secret } = sessionCookie(context);
  const token = (await cookies()).get(name)?.value;
  const claim = token ? await decode({ token, secret }).catch(() => null) : null;
  return claim?.sub ? findSession(context.pool.db, claim.sub, context.now()) : null;
});

/** Who is signed in, in which shop; anybody else is sent to the sign-in page. */
export async function requirePerson(): Promise<Member> {
  const person = (await currentPerson()) ?? redirect("/login");
  return toMember(person) ?? redirect("/no-shop");
}

/** Who is signed in, where their role is enough for a deed; else what they are told. Every server action begins with it. */
export async function requireMay(need: Need, form: FormData): Promise<{ person: Member } | { errors: FieldError[] }> {
  const person = await requirePerson();
  const shop = textOf(form, "shop");
  if (shop && shop !== person.merchantId) return wrong("", OTHER_SHOP);
  const refused = refusalOf(person.role, need);
  return refused ? wrong("", refused) : { person };
}

/** Where this request came from. */
export async function currentVisitor(): Promise<Visitor> {
  const sent = await headers();
  return visitorOf(getContext(), (name) => sent.get(name) ?? "");
}

/** Gives this browser a session that was just begun. */
export async function keepSession(sessionId: string): Promise<void> {
  const { name, secret, maxAge, options } = sessionCookie(getContext());
  const token = await encode({ token: { sub: sessionId }, secret, maxAge });
  (await cookies()).set(name, token, options);
}
