import type { Db } from "@/db/client";
import { findCursor } from "@/db/queries/networks/cursors";
import { type BlockSource, ChainError } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";
import { finalHeight, type Head } from "@/lib/domain/networks/finality";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import type { Scanner } from "@/lib/watch/blocks/scan-network";
import { commitVerified, readAddresses } from "@/lib/watch/scan/scan-state";
import { blocksBack, type Range, verifyEach } from "@/lib/watch/scan/verify-pass";

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
    const addresses = await readAddresses(db, network.id, memory, now);
    const receivers = new Set(addresses.keys());
    const { transfers, to } = await readPieces(range, (piece) => source.transfersBy(endpoint, piece, receivers));
    const missed = await commitVerified(db, network.id, scanner, { transfers }, addresses, now);
    if (missed === null) return null;
    const facts = { network: network.id, endpoint, from: range.from, to, missed };
    if (missed > 0) log.warn(facts, "transfers were missed at the first reading");
    return { to, missed };
  };
  return verifyEach({ memory, network, endpoints: source.endpoints, final, now, isIdle, read });
}

interface PiecesRead {
  transfers: ChainTransfer[];
  /** Up to here everything was read. */
  to: number;
  /** Why it was not read to the end; null when it was. */
  failure: ChainError | null;
}

/**
 * Reads a range in pieces as large as the endpoint takes: half as many blocks where they are too many at once, twice as
 * many where they are not, down to single blocks. What it is known not to take costs no call.
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
