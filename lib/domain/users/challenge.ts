/** What an answer to a challenge is good for, and nothing else. */
export type ChallengePurpose = "second_step" | "passkey_sign_in" | "passkey_add" | "passkey_confirm" | "password_reset";

/** For how long a challenge can be answered. */
export const CHALLENGE_MS = 5 * 60_000;
/** For how long the link of a mail sets a new password. */
export const RESET_MS = 30 * 60_000;

/** For how long what waits for one answer can be answered, in milliseconds. */
export function lifeMs(purpose: ChallengePurpose): number {
  return purpose === "password_reset" ? RESET_MS : CHALLENGE_MS;
}
