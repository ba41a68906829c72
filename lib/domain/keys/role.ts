import { type Problem, problem } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";

/** The roles of a user in a shop. */
export const ROLES = ["owner", "admin", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** The actor of a use case: the merchant and the user. */
export interface Actor {
  userId: string;
  from?: RequestOrigin | undefined;
  merchantId: string;
  role: Role;
}

/**
 * The permissions per role, in one table. `look`: read everything of the shop. `work`: change orders, transfers, addresses, keys and
 * settings. `own`: manage users, delete, and change the shop's security.
 */
const MAY = {
  look: ["owner", "admin", "viewer"],
  work: ["owner", "admin"],
  own: ["owner"],
} as const satisfies Record<string, readonly Role[]>;

/** The permission that a page, route or action requires. */
export type Need = keyof typeof MAY;

/** Returns true if a role has a permission. */
export function may(role: Role, need: Need): boolean {
  return (MAY[need] as readonly Role[]).includes(role);
}

/** The problem that is returned if the user's role does not allow a change. */
export const READ_ONLY = problem("role_read_only");

/** Returns the problem if the user's role is insufficient; null if it is sufficient. */
export function refusalOf(role: Role, need: Need): Problem | null {
  if (may(role, need)) return null;
  return need === "own" && may(role, "work") ? problem("owner_required") : READ_ONLY;
}

/** Returns true if a role may change addresses, keys and orders. */
export function mayChange(role: Role): boolean {
  return may(role, "work");
}
