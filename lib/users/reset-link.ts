import { createHash, randomBytes } from "node:crypto";
import type { Db } from "@/db/client";
import { insertChallenge } from "@/db/queries/users/factors";
import { findUserByEmail } from "@/db/queries/users/users";
import { notePersonEvent } from "@/lib/users/person-events";

/** Returns the hash under which the token of a password reset link, or the email address that requested it, is stored. */
export function hashOfReset(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/**
 * Creates the link for the user of an email address, and records the request. Each attempt to send creates a new link; only its hash is
 * stored.
 * @param publicUrl the installation's URL, without a trailing slash
 * @returns null if the address has no user
 */
export async function openReset(
  db: Db,
  publicUrl: string,
  { email, from }: { email: string; from: string },
  now: Date,
): Promise<string | null> {
  const user = await findUserByEmail(db, email);
  if (!user) return null;
  const token = randomBytes(32).toString("base64url");
  await db.transaction(async (tx) => {
    await insertChallenge(tx, { id: hashOfReset(token), purpose: "password_reset", userId: user.id }, now);
    await notePersonEvent(tx, { userId: user.id, action: "user.reset_asked", detail: { text: from } }, now);
  });
  return `${publicUrl}/reset/${token}`;
}
