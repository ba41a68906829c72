import type { Currency } from "@/lib/domain/networks";

/**
 * A token's own view of an address. `listed`: the token's issuer blocked it; `notListed`: it is not blocked; `unsupported`: the endpoints
 * agree that the token contract returns no such list; `unchecked`: too few endpoints responded, or they contradict each other. Only
 * `notListed` means that the address is not blocked.
 */
export const FREEZE_STATES = ["listed", "notListed", "unsupported", "unchecked"] as const;
export type FreezeState = (typeof FREEZE_STATES)[number];

/** The number of endpoints that must return the same result. With a single endpoint, its result counts, as for payments. */
const AGREEING_ENDPOINTS = 2;

/**
 * Returns the result on which the endpoints agree.
 * @param answers the results of the endpoints that responded
 * @param endpointCount the number of endpoints of the network
 */
export function agreedFreezeState(
  answers: readonly Exclude<FreezeState, "unchecked">[],
  endpointCount: number,
): FreezeState {
  const [first] = answers;
  if (first === undefined || answers.length < Math.min(AGREEING_ENDPOINTS, endpointCount)) return "unchecked";
  return answers.every((answer) => answer === first) ? first : "unchecked";
}

/**
 * The functions with which the token contracts of a currency return whether an address is blocked, in the order in which they are called.
 * Sources: TetherToken (isBlackListed), Tether's newer contracts (isBlocked), Circle's Blacklistable (isBlacklisted).
 */
export const FREEZE_FUNCTIONS: Readonly<Record<Currency, readonly string[]>> = {
  USDT: ["isBlackListed(address)", "isBlocked(address)"],
  USDC: ["isBlacklisted(address)"],
};

/** The interval between two checks of an open refund, and between attempts after a failed check. */
const CHECK_AGAIN_MS = 3_600_000;
const RETRY_MS = 60_000;
/** The time after a claim or an approval during which failed checks are repeated soon. */
const RETRY_SOON_MS = 900_000;

/**
 * Returns the time of the next check of an address.
 * @param since the time of the claim, or of the approval if there is one
 */
export function nextFreezeLook(state: FreezeState, since: Date, now: Date): Date {
  const isSoon = state === "unchecked" && now.getTime() - since.getTime() < RETRY_SOON_MS;
  return new Date(now.getTime() + (isSoon ? RETRY_MS : CHECK_AGAIN_MS));
}

/** Returns true if the claimed address was on the token's freeze list at the last check. */
export function isOnFreezeList({ freezeState }: { freezeState: FreezeState | null }): boolean {
  return freezeState === "listed";
}
