import type { Db } from "@/db/client";
import { findCursor } from "@/db/queries/networks/cursors";
import { type BlockSource, ChainError } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";
import { finalHeight, type Head } from "@/lib/domain/networks/finality";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import type { Scanner } from "@/lib/watch/blocks/scan-network";
import { commitVerified, readAddresses, takeAddresses } from "@/lib/watch/scan/scan-state";
import { blocksBack, type Range, verifyEach } from "@/lib/watch/scan/verify-pass";

/**
 * Reads blocks a second time once they are final, from every endpoint by `verifyEach`. A node that does not have a new block yet may
 * return no transfers for it, and some nodes omit logs for longer. The cost is one call a minute for each endpoint. An endpoint that
 * accepts few blocks at once requires more calls, but at most one for each block. While the ledger is far behind, blocks are not verified,
 * because they are final at their first read. If the ledger is only a little behind, blocks are verified.
 * @returns the number of transfers that had been missed
 */
export async function verifyNetwork(
  db: Db,
  source: BlockSource,
  network: Network,
  scanner: Scanner,
  head: Head,
  now: Date,
): Promise<number> {
  const { memory, log, isIdle } = scanner;
  const cursor = await findCursor(db, network.id);
  if (cursor?.height == null || memory.verifiedTo === null) return 0;
  if (head.height - cursor.height > blocksBack(network)) return 0;
  const final = Math.min(finalHeight(network, head), cursor.height);
  const read = async (endpoint: string, range: Range) => {
    const addresses = await readAddresses(db, network, memory, now);
    const receivers = takeAddresses(addresses);
    const { transfers, to } = await readPieces(range, (piece) => source.transfersBy(endpoint, piece, receivers));
    const missed = await commitVerified(db, network, scanner, { transfers }, addresses, now);
    if (missed === null) return null;
    const facts = { network: network.id, endpoint, from: range.from, to, missed };
    if (missed > 0) log.warn(facts, "transfers were missed on the first read");
    return { to, missed };
  };
  return verifyEach({ memory, network, endpoints: source.endpoints, final, now, isIdle, read });
}

interface PiecesRead {
  transfers: ChainTransfer[];
  /** The height up to which everything was read. */
  to: number;
  /** The error that ended the read; null when it was complete. */
  failure: ChainError | null;
}

/**
 * Reads a range in pieces as large as the endpoint accepts: half as many blocks after a refusal, twice as many after a
 * success, down to single blocks. Sizes that are known to be refused cost no call.
 */
export async function readPieces(
  { from, to }: Range,
  read: (piece: Range) => Promise<ChainTransfer[]>,
): Promise<PiecesRead> {
  const transfers: ChainTransfer[] = [];
  let next = from;
  let blocks = to - from + 1;
  while (next <= to) {
    const piece = { from: next, to: Math.min(to, next + blocks - 1) };
    try {
      transfers.push(...(await read(piece)));
      next = piece.to + 1;
      blocks *= 2;
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      if (!isTooMuch(error) || piece.from === piece.to) return { transfers, to: next - 1, failure: error };
      blocks = Math.floor((piece.to - piece.from + 1) / 2);
    }
  }
  return { transfers, to, failure: null };
}

function isTooMuch({ kind }: ChainError): boolean {
  return kind === "rangeTooLarge" || kind === "refused";
}
