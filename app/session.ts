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
import type { Place } from "@/lib/domain/users/place";
import {
  findSession,
  lacksFactor,
  type Member,
  type Person,
  placeOf,
  toMember,
  type Visitor,
} from "@/lib/users/session";

const OTHER_SHOP = problem("shop_switched");

/** The session that this browser says it has; "" when it says none. */
const currentSession = cache(async (): Promise<string> => {
  const context = getContext();
  const token = (await cookies()).get(sessionCookie(context).name)?.value;
  const claim = token ? await openCookie(context, { token }) : null;
  return claim?.sub ?? "";
});

/** Who is signed in, read from the database once per request; null when nobody is, or the session was ended. */
export const currentPerson = cache(async (): Promise<Person | null> => {
  const id = await currentSession();
  if (id === "") return null;
  const { pool, now } = getContext();
  return findSession(pool.db, id, now());
});

/**
 * Who is signed in, in which shop; anybody else is sent to the sign-in page, and who lacks the second factor that the shop asks
 * for to where one is set up.
 */
export async function requirePerson({ mayLackFactor }: { mayLackFactor?: true } = {}): Promise<Member> {
  const person = (await currentPerson()) ?? redirect("/login");
  if (!mayLackFactor && lacksFactor(person)) redirect("/second-factor");
  return toMember(person) ?? redirect("/no-shop");
}

/** Who is signed in, where their role is enough for a deed; else what they are told. Every server action begins with it. */
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

/** Where this request came from. */
export async function currentVisitor(): Promise<Visitor> {
  const sent = await headers();
  return visitorOf(getContext(), (name) => sent.get(name) ?? "");
}

/** Who acts in which shop, and from where, as the record keeps it. */
export async function whoIs({
  merchantId,
  user,
}: Pick<Member, "merchantId" | "user">): Promise<{ merchantId: string; userId: string; from: Place }> {
  return { merchantId, userId: user.id, from: placeOf(await currentVisitor()) };
}

/** Gives this browser a new session, and remembers that it signed in to the account. */
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

/** Keeps in this browser that the first step of signing in was taken. It is no session: another key signs it, and no page asks for it. */
export async function keepTicket(ticket: string): Promise<void> {
  const { name, secret, salt, maxAge, options } = ticketCookie();
  const token = await encode({ token: { sub: ticket }, secret, salt, maxAge });
  (await cookies()).set(name, token, { ...options, sameSite: "strict", maxAge });
}

/** The first step that this browser took within the last five minutes; "" when there is none. */
export async function currentTicket(): Promise<string> {
  const { name, salt } = ticketCookie();
  const token = (await cookies()).get(name)?.value;
  const claim = token ? await openCookie(getContext(), { token, salt }) : null;
  return claim?.sub ?? "";
}

/** Forgets the first step: the second was taken. */
export async function dropTicket(): Promise<void> {
  const { name, options } = ticketCookie();
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}
