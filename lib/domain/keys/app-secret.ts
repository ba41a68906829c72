/**
 * The secret under which an installation seals; while APP_SECRET changes, with the other one that opens too (APP_SECRET_ALSO).
 */
export type AppSecret = string | { readonly seals: string; readonly opens: string };

/** While APP_SECRET changes there are two; the same text twice is one. */
export function toAppSecret(seals: string, opens: string | undefined): AppSecret {
  return opens === undefined || opens === seals ? seals : { seals, opens };
}

/** The one under which things are sealed now. */
export function sealingSecret(secret: AppSecret): string {
  return typeof secret === "string" ? secret : secret.seals;
}

/** All that may have sealed what is there, the one of now first. */
export function openingSecrets(secret: AppSecret): readonly [string, ...string[]] {
  return typeof secret === "string" ? [secret] : [secret.seals, secret.opens];
}
