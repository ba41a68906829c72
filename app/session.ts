import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { getServerSession } from "next-auth";
import { encode } from "next-auth/jwt";
import { cache } from "react";
import { authOptions, sessionCookie } from "@/app/auth-options";
import { getContext } from "@/app/context";
import { findSession, type Person, type SessionClaim } from "@/lib/people/session";

/** Who is signed in, read from the database once per request; null when nobody is, or the session was ended. */
export const currentPerson = cache(async (): Promise<Person | null> => {
  const session = await getServerSession(authOptions());
  if (!session?.userId) return null;
  return findSession(getContext().pool.db, { userId: session.userId, epoch: session.epoch });
});

/** Who is signed in; anybody else is sent to the sign-in page. */
export async function requirePerson(): Promise<Person> {
  return (await currentPerson()) ?? redirect("/login");
}

/** Signs this browser in as a person whose password was just seen. */
export async function startSession({ userId, epoch }: SessionClaim): Promise<void> {
  const { name, secret, maxAge, options } = sessionCookie(getContext());
  const token = await encode({ token: { sub: userId, epoch }, secret, maxAge });
  (await cookies()).set(name, token, options);
}
