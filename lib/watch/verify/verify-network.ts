import type { Db } from "@/db/client";
import { findCursor } from "@/db/queries/networks/cursors";
import type { ChainSource } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";
import { finalHeight, type Head } from "@/lib/domain/networks/finality";
import { readPieces } from "@/lib/watch/blocks/read-span";
import type { Scanner } from "@/lib/watch/blocks/scan-network";
import { commitVerified } from "@/lib/watch/commit-scan";
import { readAddresses } from "@/lib/watch/scan-memory";
import { blocksBack, type Range, verifyEach } from "@/lib/watch/verify-pass";

/**
 * Reads blocks a second time once they are final, from every endpoint as `verifyEach` says. A new block may be asked of a
 * node that does not have it yet and answers "no transfers", and some nodes leave logs out for longer. It costs each
 * endpoint one call a minute, more where it takes few blocks at once; at most one for each block.
 * Not while the ledger is far behind, for then what it reads is final at its first reading; but also where it is always a
 * little behind.
 * @returns how many transfers had been missed
 */
export async function verifyNetwork(
  db: Db,
  source: ChainSource,
  network: Network,
  { memory, owner, log }: Scanner,
  head: Head,
  now: Date,
): Promise<number> {
  const cursor = await findCursor(db, network.id);
  if (cursor?.height == null || memory.verifiedTo === null) return 0;
  if (head.height - cursor.height > blocksBack(network)) return 0;
  const final = Math.min(finalHeight(network, head), cursor.height);
  const read = async (endpoint: string, range: Range) => {
    const addresses = await readAddresses(db, network.id, memory, now);
    const receivers = new Set(addresses.keys());
    const { transfers, to } = await readPieces(range, (piece) => source.transfersBy(endpoint, piece, receivers));
    const missed = await commitVerified(db, network.id, owner, { transfers }, addresses, now);
    if (missed === null) return null;
    const facts = { network: network.id, endpoint, from: range.from, to, missed };
    if (missed > 0) log.warn(facts, "transfers were missed at the first reading");
    return { to, missed };
  };
  return verifyEach({ memory, network, endpoints: source.endpoints, final, now, read });
}
