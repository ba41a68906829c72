import { validateAddress } from "@/lib/domain/addresses/address";
import { allNetworks, type Currency, findNetwork, findToken, type Network } from "@/lib/domain/networks";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import type { RefundSettings } from "@/lib/domain/refunds/refund";

/** The number of characters of the address that the customer types again. */
export const CONFIRMED_CHARACTERS = 4;

/**
 * Returns the networks on which a refund can be claimed: those that have an enabled token of its currency and that the merchant allows.
 * The network of the order comes first.
 */
export function claimNetworks(
  currency: Currency,
  { networks }: Pick<RefundSettings, "networks">,
  paidOn: string,
): Network[] {
  const offered = allNetworks().filter((network) => {
    const token = findToken(network, currency);
    return token !== null && !token.isOff && (networks.length === 0 || networks.includes(network.id));
  });
  return offered.toSorted((one, other) => Number(other.id === paidOn) - Number(one.id === paidOn));
}

/** The input of a claim, as typed. */
export interface ClaimInput {
  network: string;
  address: string;
  /** The last characters of the address, typed again. */
  confirmation: string;
  /** The order number or the email address, if the merchant asks for one. */
  check: string;
}

/** A valid claim: the address in canonical form. */
export interface ReadClaim {
  network: Network;
  address: string;
}

/**
 * Reads the network and the address of a claim.
 * @param offered the networks on which the refund can be claimed
 * @returns the claim, or the problem with its field
 */
export function readClaim(
  { network: id, address: typed, confirmation }: Omit<ClaimInput, "check">,
  offered: readonly Network[],
): ReadClaim | { field: "network" | "address" | "confirmation"; problem: Problem } {
  const network = findNetwork(id);
  if (!network || !offered.some((one) => one.id === network.id))
    return { field: "network", problem: problem("claim_network_not_offered") };
  const valid = validateAddress(network, typed);
  if ("problem" in valid) return { field: "address", problem: valid.problem };
  const end = typed.trim().slice(-CONFIRMED_CHARACTERS);
  if (confirmation.trim().toLowerCase() !== end.toLowerCase())
    return { field: "confirmation", problem: problem("claim_not_confirmed", { count: CONFIRMED_CHARACTERS }) };
  return { network, address: valid.address };
}
