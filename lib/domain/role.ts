/** What a person may do for a merchant: owner and admin change things, a viewer looks. */
export const ROLES = ["owner", "admin", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role may change addresses, keys and orders. */
export function mayChange(role: Role): boolean {
  return role === "owner" || role === "admin";
}
