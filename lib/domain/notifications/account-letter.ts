import type { AuditAction } from "@/lib/domain/audit/audit";

/** What a person is written to themselves, whatever they chose: a link to set a new password, and that something changed that guards their account or shop. */
export const ACCOUNT_LETTER_KINDS = ["passwordReset", "securityChanged"] as const;
export type AccountLetterKind = (typeof ACCOUNT_LETTER_KINDS)[number];

/** What guards a person's own account, wherever they belong. */
export const OWN_SECURITY = [
  ...(["totp.added", "totp.removed", "passkey.added", "passkey.removed", "passkey.refused"] as const),
  ...(["recovery_code.used", "recovery_codes.renewed"] as const),
  ...(["user.password_changed", "user.password_reset"] as const),
] as const satisfies readonly AuditAction[];

/** What guards a shop: its owners hear of it, and whoever did it. */
export const SHOP_SECURITY = [
  ...(["api_key.created", "api_key.rotated", "api_key.revoked", "api_key.changed"] as const),
  ...(["address.added", "address.resumed", "address.removed", "address.tampered"] as const),
  ...(["address_source.added", "address_source.removed"] as const),
  ...(["confirmations.changed", "member.joined", "member.role_changed", "member.removed"] as const),
  ...(["second_factor.asked", "second_factor.asked_no_more"] as const),
  ...(["plugin.switched_on", "plugin.switched_off", "plugin.changed"] as const),
  ...(["plugin_key.issued", "plugin_key.granted", "plugin_key.rotated", "plugin_key.revoked"] as const),
  ...(["prices.changed", "price_decimals.changed", "order_terms.changed"] as const),
  ...(["notifications.channel_verified", "notifications.channel_removed"] as const),
] as const satisfies readonly AuditAction[];

/** Whether what was done guards a person's own account. */
export function isOwnSecurity(action: AuditAction): boolean {
  return (OWN_SECURITY as readonly AuditAction[]).includes(action);
}

/** Whether what was done guards a shop. */
export function isShopSecurity(action: AuditAction): boolean {
  return (SHOP_SECURITY as readonly AuditAction[]).includes(action);
}

/** One change that guards an account or a shop; texts are "" where nothing is known. */
export interface SecurityFact {
  action: AuditAction;
  /** Name of the shop; "" for what is a person's own. */
  shop: string;
  /** E-mail of who did it; "": the service itself. */
  by: string;
  /** What it was done to, in short: the name of a key, an address. */
  what: string;
  /** Of an address that is written as it is compared; left out: `what` is for people already. */
  network?: string | null;
  /** Where it came from: "192.0.2.9 · Firefox on Linux". */
  from: string;
  /** ISO 8601. */
  at: string;
}

const DAY_MS = 86_400_000;

/** How old a letter may be when it is sent, in milliseconds: who asked for a link asks again sooner. */
export function letterLifeMs(kind: AccountLetterKind): number {
  return kind === "passwordReset" ? 30 * 60_000 : DAY_MS;
}
