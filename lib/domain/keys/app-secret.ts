/**
 * The secret with which an installation encrypts. While APP_SECRET is being changed, it includes the second secret that still decrypts
 * (APP_SECRET_ALSO).
 */
export type AppSecret = string | { readonly primary: string; readonly secondary: string };

/** Returns both secrets while APP_SECRET is being changed; one secret if they are equal. */
export function toAppSecret(primary: string, secondary: string | undefined): AppSecret {
  return secondary === undefined || secondary === primary ? primary : { primary, secondary };
}

/** Returns the secret with which new values are encrypted. */
export function sealingSecret(secret: AppSecret): string {
  return typeof secret === "string" ? secret : secret.primary;
}

/** Returns all secrets with which stored values can be encrypted, the current one first. */
export function openingSecrets(secret: AppSecret): readonly [string, ...string[]] {
  return typeof secret === "string" ? [secret] : [secret.primary, secret.secondary];
}
