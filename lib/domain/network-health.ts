import type { Network } from "@/lib/domain/networks";

/** For how long a network may be behind before it takes no new orders. */
export const BEHIND_MS = 180_000;

/** What is known of how a network is being read. */
export interface NetworkWatch {
  /** When the cursor last reached the head; null when it never did. */
  caughtUpAt: Date | null;
  /** When a node was last heard; null when none ever was. */
  heardAt: Date | null;
  /** Since when this worker has been trying. */
  watchedSince: Date;
  cursorHeight: number | null;
  headHeight: number | null;
}

/** Why a network should take no new orders because of how far it is read, in words; null when it is fine. */
export function behindProblem(network: Pick<Network, "name">, watch: NetworkWatch, now: Date): string | null {
  const since = watch.caughtUpAt ?? watch.watchedSince;
  if (now.getTime() - since.getTime() < BEHIND_MS) return null;
  const isSilent = watch.heardAt === null || now.getTime() - watch.heardAt.getTime() >= BEHIND_MS;
  const time = `${(isSilent ? (watch.heardAt ?? since) : since).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  if (isSilent)
    return `No endpoint of ${network.name} has given an answer to trust since ${time}. Orders on it wait until one does.`;
  const heights = watch.cursorHeight === null ? "" : ` (block ${watch.cursorHeight} of ${watch.headHeight})`;
  return `${network.name} has been read behind its head since ${time}${heights}. Payments are found as reading catches up.`;
}
