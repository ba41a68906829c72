import { persist } from "@/chaos/create-orders";
import type { World } from "@/chaos/world";
import { COMMAND_LINE } from "@/lib/domain/networks/closure";
import { closeNetwork, reopenNetwork } from "@/lib/networks/close-network";

const OPERATOR = { userId: null, name: COMMAND_LINE };

/**
 * Closes a network through the use case behind `npm run close-network`.
 * @throws Error with the problem when it is refused
 */
export async function close({ pool: { db } }: World, network: string): Promise<void> {
  const reason = "Its nodes do not respond";
  requireDone(await persist(() => closeNetwork(db, { network, reason, by: OPERATOR }, new Date())));
}

/**
 * Reopens a network through the use case behind `npm run reopen-network`.
 * @throws Error as `close` does
 */
export async function reopen({ pool: { db } }: World, network: string): Promise<void> {
  requireDone(await persist(() => reopenNetwork(db, { network, by: OPERATOR }, new Date())));
}

function requireDone(result: object): void {
  if ("problem" in result) throw new Error(String(result.problem));
}
