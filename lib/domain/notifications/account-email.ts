import type { AuditAction } from "@/lib/domain/audit/audit";

/**
 * The emails that a user receives regardless of their choices: a link to set a new password, and a notice of a change to the security of
 * their account or shop.
 */
export const ACCOUNT_EMAIL_KINDS = ["passwordReset", "securityChanged"] as const;
export type AccountEmailKind = (typeof ACCOUNT_EMAIL_KINDS)[number];

/** The actions that concern the security of a user's own account. */
export const OWN_SECURITY = [
  ...(["totp.added", "totp.removed", "passkey.added", "passkey.removed", "passkey.refused"] as const),
  ...(["recovery_code.used", "recovery_codes.renewed"] as const),
  ...(["user.password_changed", "user.password_reset"] as const),
] as const satisfies readonly AuditAction[];

/** The actions that concern the security of a shop: its owners and the actor are notified. */
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

/** Returns true if an action concerns the security of the user's own account. */
export function isOwnSecurity(action: AuditAction): boolean {
  return (OWN_SECURITY as readonly AuditAction[]).includes(action);
}

/** Returns true if an action concerns the security of a shop. */
export function isShopSecurity(action: AuditAction): boolean {
  return (SHOP_SECURITY as readonly AuditAction[]).includes(action);
}

/** A change to the security of an account or shop. Unknown values are empty strings. */
export interface SecurityFact {
  action: AuditAction;
  /** The name of the shop; "" for a user's own account. */
  shop: string;
  /** The email address of the actor; "" for the service itself. */
  by: string;
  /** The object of the change: the name of a key, an address. */
  what: string;
  /** The network of an address in canonical form; absent if `what` is in display form. */
  network?: string | null;
  /** The origin, such as "192.0.2.9 · Firefox on Linux". */
  from: string;
  /** ISO 8601. */
  at: string;
}

const DAY_MS = 86_400_000;

/**
 * Returns the maximum age of an email when it is sent, in milliseconds. Older emails are not sent, because users request a new link before
 * that time.
 */
export function emailLifetimeMs(kind: AccountEmailKind): number {
  return kind === "passwordReset" ? 30 * 60_000 : DAY_MS;
}
