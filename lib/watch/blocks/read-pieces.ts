import { ChainError } from "@/lib/chains/endpoints/source";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";

/** Heights, both ends inclusive. */
export interface Range {
  from: number;
  to: number;
}

export interface PiecesRead {
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
  let [next, blocks] = [from, to - from + 1];
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
