/** The purposes of a challenge. A response is valid for a single purpose. */
export type ChallengePurpose = "second_step" | "passkey_sign_in" | "passkey_add" | "passkey_confirm" | "password_reset";

/** The time for which a challenge is valid. */
export const CHALLENGE_MS = 5 * 60_000;
/** The time for which the link of a password reset email is valid. */
export const RESET_MS = 30 * 60_000;

/** Returns the time for which a challenge of a purpose is valid, in milliseconds. */
export function lifeMs(purpose: ChallengePurpose): number {
  return purpose === "password_reset" ? RESET_MS : CHALLENGE_MS;
}
