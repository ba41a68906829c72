/** The secret under which an installation encrypts; while APP_SECRET changes, with the other one that still decrypts (APP_SECRET_ALSO). */
export type AppSecret = string | { readonly seals: string; readonly opens: string };

/** While APP_SECRET changes there are two; the same text twice is one. */
export function toAppSecret(seals: string, opens: string | undefined): AppSecret {
  return opens === undefined || opens === seals ? seals : { seals, opens };
}

/** Returns the secret under which values are encrypted now. */
export function sealingSecret(secret: AppSecret): string {
  return typeof secret === "string" ? secret : secret.seals;
}

/** Returns all secrets under which stored values can be encrypted, the current one first. */
export function openingSecrets(secret: AppSecret): readonly [string, ...string[]] {
  return typeof secret === "string" ? [secret] : [secret.seals, secret.opens];
}
