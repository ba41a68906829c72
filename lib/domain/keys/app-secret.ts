/**
 * The secret under which an installation seals; while APP_SECRET changes, with the other one that opens too (APP_SECRET_ALSO).
 */
export type AppSecret = string | { readonly seals: string; readonly opens: string };

/** The one under which things are sealed now. */
export function sealingSecret(secret: AppSecret): string {
  return typeof secret === "string" ? secret : secret.seals;
}

/** All that may have sealed what is there, the one of now first. */
export function openingSecrets(secret: AppSecret): readonly [string, ...string[]] {
  return typeof secret === "string" ? [secret] : [secret.seals, secret.opens];
}
