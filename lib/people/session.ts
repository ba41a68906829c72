import type { Db } from "@/db/client";
import { findUser, type User } from "@/db/queries/people/users";

/** The person at the other end of a session. */
export type Person = Omit<User, "passwordHash">;

/** What a session token carries. */
export interface SessionClaim {
  userId: string;
  /** The person's session epoch when the session began. */
  epoch: number;
}

/** The person of a session, or null when the session ended: the password was changed since, or the person is gone. */
export async function findSession(db: Db, claim: SessionClaim): Promise<Person | null> {
  const user = await findUser(db, claim.userId);
  return user && user.sessionEpoch === claim.epoch ? toPerson(user) : null;
}

/** A user without the password hash. */
export function toPerson({ passwordHash: _hidden, ...person }: User): Person {
  return person;
}
