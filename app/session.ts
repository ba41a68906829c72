import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { encode } from "next-auth/jwt";
import { cache } from "react";
import { openCookie, sessionCookie, visitorOf } from "@/app/auth-options";
import { getContext } from "@/app/context";
import { keepDevice } from "@/app/device-cookie";
import { textOf } from "@/app/form-fields";
import { type Need, refusalOf } from "@/lib/domain/keys/role";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import { CHALLENGE_MS } from "@/lib/domain/users/challenge";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import {
  findSession,
  lacksFactor,
  type Member,
  originOf,
  type Person,
  toMember,
  type Visitor,
} from "@/lib/users/session";

const OTHER_SHOP = problem("shop_switched");

/** Returns the session id of this browser's cookie; "" if there is none. */
const currentSession = cache(async (): Promise<string> => {
  const context = getContext();
  const token = (await cookies()).get(sessionCookie(context).name)?.value;
  const claim = token ? await openCookie(context, { token }) : null;
  return claim?.sub ?? "";
});

/** Returns the signed-in user, read from the database once per request; null if the browser is signed out or the session has ended. */
export const currentPerson = cache(async (): Promise<Person | null> => {
  const id = await currentSession();
  if (id === "") return null;
  const { pool, now } = getContext();
  return findSession(pool.db, id, now());
});

/**
 * Returns the signed-in user and their shop. Redirects visitors without a session to the sign-in page, and users who lack a required
 * second factor to its setup page.
 */
export async function requirePerson({ mayLackFactor }: { mayLackFactor?: true } = {}): Promise<Member> {
  const person = (await currentPerson()) ?? redirect("/login");
  if (!mayLackFactor && lacksFactor(person)) redirect("/second-factor");
  return toMember(person) ?? redirect("/no-shop");
}

/**
 * Returns the signed-in user if their role permits an action, else the error to show. Every server action calls it
 * first.
 */
export async function requireMay(
  need: Need,
  form: FormData,
  options: { mayLackFactor?: true } = {},
): Promise<{ person: Member } | { errors: FieldError[] }> {
  const person = await requirePerson(options);
  const shop = textOf(form, "shop");
  if (shop && shop !== person.merchantId) return refuse("", OTHER_SHOP);
  const refused = refusalOf(person.role, need);
  return refused ? refuse("", refused) : { person };
}

/** Returns the origin of this request. */
export async function currentVisitor(): Promise<Visitor> {
  const sent = await headers();
  return visitorOf(getContext(), (name) => sent.get(name) ?? "");
}

/** Returns the user, shop and origin of an action for the audit log. */
export async function authenticateAction({
  merchantId,
  user,
}: Pick<Member, "merchantId" | "user">): Promise<{ merchantId: string; userId: string; from: RequestOrigin }> {
  return { merchantId, userId: user.id, from: originOf(await currentVisitor()) };
}

/** Stores a new session in this browser, and records that the browser signed in to the account. */
export async function keepSession(sessionId: string): Promise<void> {
  const { name, secret, maxAge, options } = sessionCookie(getContext());
  const token = await encode({ token: { sub: sessionId }, secret, maxAge });
  (await cookies()).set(name, token, options);
  const { pool, now } = getContext();
  const person = await findSession(pool.db, sessionId, now());
  if (person) await keepDevice(person.user.email);
}

const ticketCookie = () => {
  const { options, secret } = sessionCookie(getContext());
  const name = `${options.secure ? "__Host-" : ""}stablegate.second-step`;
  return { name, secret, salt: "second-step", maxAge: CHALLENGE_MS / 1_000, options };
};

/**
 * Records in this browser that the first step of sign-in is complete. The ticket is not a session: its key is derived with a different
 * salt, and no page reads it.
 */
export async function keepTicket(ticket: string): Promise<void> {
  const { name, secret, salt, maxAge, options } = ticketCookie();
  const token = await encode({ token: { sub: ticket }, secret, salt, maxAge });
  (await cookies()).set(name, token, { ...options, sameSite: "strict", maxAge });
}

/**
 * Returns the ticket of the first step that this browser completed within the last five minutes; "" if there is none.
 */
export async function currentTicket(): Promise<string> {
  const { name, salt } = ticketCookie();
  const token = (await cookies()).get(name)?.value;
  const claim = token ? await openCookie(getContext(), { token, salt }) : null;
  return claim?.sub ?? "";
}

/** Deletes the ticket of the first step, after the second step. */
export async function dropTicket(): Promise<void> {
  const { name, options } = ticketCookie();
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}
