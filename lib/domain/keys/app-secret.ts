/** The secret under which an installation encrypts; while APP_SECRET changes, with the other one that still decrypts (APP_SECRET_ALSO). */
export type AppSecret = string | { readonly primary: string; readonly secondary: string };

/** While APP_SECRET changes there are two; the same text twice is one. */
export function toAppSecret(primary: string, secondary: string | undefined): AppSecret {
  return secondary === undefined || secondary === primary ? primary : { primary, secondary };
}

/** Returns the secret under which values are encrypted now. */
export function sealingSecret(secret: AppSecret): string {
  return typeof secret === "string" ? secret : secret.primary;
}

/** Returns all secrets under which stored values can be encrypted, the current one first. */
export function openingSecrets(secret: AppSecret): readonly [string, ...string[]] {
  return typeof secret === "string" ? [secret] : [secret.primary, secret.secondary];
}
