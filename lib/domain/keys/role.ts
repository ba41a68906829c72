import { type Problem, problem } from "@/lib/domain/problems/problem";
import type { Place } from "@/lib/domain/users/place";

/** What a person is to a shop. */
export const ROLES = ["owner", "admin", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** Who does something for a merchant, as a story needs to know. */
export interface Actor {
  userId: string;
  from?: Place | undefined;
  merchantId: string;
  role: Role;
}

/**
 * What whom is for, the one table of it. `look`: read everything of the shop. `work`: change orders, transfers, addresses, keys
 * and settings. `own`: people, what deletes, and the shop's own safety.
 */
const MAY = {
  look: ["owner", "admin", "viewer"],
  work: ["owner", "admin"],
  own: ["owner"],
} as const satisfies Record<string, readonly Role[]>;

/** What a page, a route or a deed needs of whoever asks for it. */
export type Need = keyof typeof MAY;

/** Whether a role is enough for a need. */
export function may(role: Role, need: Need): boolean {
  return (MAY[need] as readonly Role[]).includes(role);
}

/** The problem of a user whose role does not allow a change. */
export const READ_ONLY = problem("role_read_only");

/** Returns the problem of a user whose role is not enough, or null where it is. */
export function refusalOf(role: Role, need: Need): Problem | null {
  if (may(role, need)) return null;
  return need === "own" && may(role, "work") ? problem("owner_required") : READ_ONLY;
}

/** Whether a role may change addresses, keys and orders. */
export function mayChange(role: Role): boolean {
  return may(role, "work");
}
