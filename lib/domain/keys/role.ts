/** What a person may do for a merchant: owner and admin change things, a viewer looks. */
export const ROLES = ["owner", "admin", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** Who does something for a merchant, as a story needs to know. */
export interface Actor {
  userId: string;
  merchantId: string;
  role: Role;
}

/** What a person is told whose role does not allow a change. */
export const MAY_ONLY_LOOK = "Your role may look at this but not change it";

/** Whether a role may change addresses, keys and orders. */
export function mayChange(role: Role): boolean {
  return role === "owner" || role === "admin";
}
