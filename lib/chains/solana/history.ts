import * as z from "zod";
import type { Call } from "@/lib/chains/endpoints/endpoint-call";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { contradiction } from "@/lib/chains/endpoints/heights";
import { ChainError, type HistorySpan } from "@/lib/chains/endpoints/source";
import { HistoryEntry, Slot } from "@/lib/chains/solana/wire";
import { blocksIn } from "@/lib/domain/networks";

/** The size of the first page. Every node returns it in full, so a shorter page is the entire history. */
const FIRST_PAGE = 20;
const PAGE = 1_000;
/** The largest lead of an entry over the known head, in slot time. */
const MAX_AHEAD_MS = 21_600_000;
/** The age in milliseconds up to which every node retains the history. */
const SURELY_KEPT_MS = 600_000;

const Entries = z.array(HistoryEntry);
const Statuses = z.object({ value: z.array(z.nullable(z.object({}))).length(1) });

/**
 * Returns the successful transactions of a token account above a slot, oldest first. Pages are read until they reach that slot or the
 * beginning of the account's history; duplicate entries count once. An empty page is not accepted from a node whose history begins later.
 * No page is accepted from a node that does not have the last entry of the previous page.
 */
export async function readHistory(endpoints: Endpoints, account: string, span: HistorySpan): Promise<HistoryEntry[]> {
  const found = new Map<string, HistoryEntry>();
  let before: string | undefined;
  for (;;) {
    const page = await readPage(endpoints, account, span, before);
    const fresh = page.filter(({ slot, signature }) => slot > span.after && !found.has(signature));
    for (const entry of fresh) found.set(entry.signature, entry);
    const isFirst = before === undefined;
    if (fresh.length === 0 || page.some(({ slot }) => slot <= span.after) || (isFirst && page.length < FIRST_PAGE))
      break;
    before = page.at(-1)?.signature;
  }
  const entries = [...found.values()].filter(({ err }) => err === null);
  return entries.toReversed().toSorted((left, right) => left.slot - right.slot);
}

function readPage(endpoints: Endpoints, account: string, span: HistorySpan, before: string | undefined) {
  const { head: minContextSlot, commitment = "confirmed" } = span;
  const limit = before === undefined ? FIRST_PAGE : PAGE;
  return endpoints.ask<HistoryEntry[]>({
    method: "getSignaturesForAddress",
    params: [account, { commitment, minContextSlot, limit, ...(before === undefined ? {} : { before }) }],
    before: async (call) => {
      if (before !== undefined) await requireKnown(call, before);
      if (span.head - span.after > blocksIn(SURELY_KEPT_MS, span)) await requirePast(call, span.after);
    },
    mustVerifyChainId: (entries) => entries.some(({ slot }) => slot > span.after),
    parse: (result) => {
      const entries = Entries.parse(result);
      requireInOrder(entries, span);
      return entries;
    },
  });
}

/** Throws unless entries are newest first and none is above the highest possible slot. */
function requireInOrder(entries: readonly HistoryEntry[], span: Pick<HistorySpan, "head" | "blockMs">): void {
  const newest = span.head + blocksIn(MAX_AHEAD_MS, span);
  const invalid = entries.find(({ slot }, index) => slot > (entries[index - 1]?.slot ?? newest));
  if (!invalid) return;
  const text = `slot ${invalid.slot} of ${invalid.signature} is out of order in a history up to ${span.head}`;
  throw contradiction("getSignaturesForAddress", text);
}

async function requireKnown(call: Call, signature: string): Promise<void> {
  const params = [[signature], { searchTransactionHistory: true }];
  const { value } = Statuses.parse(await call({ method: "getSignatureStatuses", params }));
  if (value[0] !== null) return;
  throw new ChainError(
    "inconsistent",
    `getSignatureStatuses: this node does not have ${signature}, the last entry of the previous page`,
  );
}

async function requirePast(call: Call, slot: number): Promise<void> {
  const first = Slot.parse(await call({ method: "getFirstAvailableBlock", params: [] }));
  if (first <= slot + 1) return;
  throw new ChainError(
    "inconsistent",
    `getFirstAvailableBlock: this node's history begins at slot ${first}; slot ${slot + 1} is needed`,
  );
}
