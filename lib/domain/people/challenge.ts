/** What an answer to a challenge is good for, and nothing else. */
export type ChallengePurpose = "second_step" | "passkey_sign_in" | "passkey_add" | "passkey_confirm";

/** For how long a challenge can be answered. */
export const CHALLENGE_MS = 5 * 60_000;
