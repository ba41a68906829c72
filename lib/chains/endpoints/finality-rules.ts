import type { ChainError, EndpointSays, Finality } from "@/lib/chains/endpoints/source";
import type { Head } from "@/lib/domain/networks/finality";

/**
 * What one endpoint alone says of a transfer. `shows`: it has the payment in the block where it was seen; `moved`: in another
 * one; `denies`: it has the block at that height, or the transaction's receipt, and the payment is not in it; `lacks`: it cannot
 * show the block or the receipt, as after pruning; `behind`: its head is below. `isPast`: its own heights make that block final.
 */
export type Opinion = { head: Head | null; isPast: boolean } & (
  | { kind: "shows" | "denies" | "lacks" | "behind" }
  | { kind: "moved"; height: number; hash: string; time: Date }
);

/** An opinion and whose it is, or why there is none. */
export type View = { endpoint: string; isRising: boolean } & (Opinion | { kind: "silent"; error: ChainError | null });
type Heard = Exclude<View, { kind: "silent" }>;

/** What was heard of one transfer, and how it is to be taken. */
export interface Hearing {
  views: readonly View[];
  /** Endpoints that must agree; one where a second endpoint is enough. */
  quorum: number;
  /** Who told of the transfer first, where that is known: no second opinion on it. */
  first: string | undefined;
  /** Whether everybody was asked; all endpoints are among the views then. */
  isComplete: boolean;
  /** Whether those who say nothing have been waited for long enough. */
  isSilenceOver: boolean;
  /** Whether those who are not past the block yet have been. */
  isPatienceOver: boolean;
}

/** `isAlone`: silence decided it, or is waited for. `isMissed`: too few agree. `differing`: those whom a quorum outvoted. */
export interface Verdict {
  finality: Finality;
  isAlone?: boolean;
  isMissed?: boolean;
  differing?: readonly View[];
}

/**
 * What became of a transfer by what the endpoints of its network say, each alone (contract §6).
 * @returns null when that settles nothing: more must be asked, and when all were, nobody knows
 */
export function decideFinality(hearing: Hearing): Verdict | null {
  const { views, isComplete, quorum } = hearing;
  if (quorum > 1) return decideByQuorum(hearing);
  return isComplete && views.length === 1 ? decideAlone(views[0]) : decideBySecond(hearing);
}

function decideAlone(only: View | undefined): Verdict | null {
  if (!only || only.kind === "silent" || only.kind === "behind" || only.kind === "lacks") return null;
  return { finality: only.kind === "shows" ? { kind: "final" } : followed(only) };
}

/** Without a quorum: a second endpoint must agree, and one contradiction makes it wait. */
function decideBySecond(hearing: Hearing): Verdict | null {
  const { views, isComplete, first } = hearing;
  const shows = views.filter((view): view is Heard => view.kind === "shows");
  const against = views.filter((view): view is Heard => view.kind === "denies" || view.kind === "moved");
  const past = shows.filter(({ isPast }) => isPast);
  const isSeconded = past.length > 1 || past.some(({ endpoint }) => first !== undefined && endpoint !== first);
  if (against.length === 0 && isSeconded) return { finality: { kind: "final" } };
  if (!isComplete) return null;
  if (against.length > 0 && shows.length > 0)
    return { finality: against.some(({ isPast }) => isPast) ? contradicted(views) : waiting(hearing) };
  return against.length > 0 ? decideAgainst(hearing, against) : decideUnseconded(hearing, past.length > 0);
}

/** Nobody contradicts, and nobody else agrees: whoever may yet say something is waited for. */
function decideUnseconded(hearing: Hearing, isShown: boolean): Verdict | null {
  const { views, isSilenceOver } = hearing;
  if (views.some(isAwaited)) return { finality: waiting(hearing) };
  if (!views.some(({ kind }) => kind === "shows")) return null;
  return { finality: isShown && isSilenceOver ? { kind: "final" } : { kind: "waiting" }, isAlone: true };
}

/** Nobody shows it where it was seen. That it is gone, or elsewhere, takes two as well. */
function decideAgainst(hearing: Hearing, against: readonly Heard[]): Verdict {
  const [one, ...others] = against;
  const isPast = against.every((view) => view.isPast);
  if (!one || others.some((view) => placeOf(view) !== placeOf(one)))
    return { finality: isPast ? contradicted(hearing.views) : waiting(hearing) };
  if (one.kind === "denies" && !isPast) return { finality: waiting(hearing) };
  if (others.length > 0) return { finality: followed(one) };
  if (hearing.views.some((view) => view !== one && isAwaited(view))) return { finality: waiting(hearing) };
  return { finality: hearing.isSilenceOver ? followed(one) : { kind: "waiting" }, isAlone: true };
}

/** So many must say the same, receipts and heights; silence is no reason to do with fewer. */
function decideByQuorum({ views, quorum, isComplete }: Hearing): Verdict | null {
  const told = views.filter(
    (view): view is Heard => view.kind === "shows" || view.kind === "denies" || view.kind === "moved",
  );
  const stories = Map.groupBy(told, storyOf);
  for (const same of stories.values()) {
    const counted = same.filter(({ kind, isPast }) => isPast || kind === "moved");
    const [one] = counted;
    if (!one || counted.length < quorum) continue;
    const finality: Finality = one.kind === "shows" ? { kind: "final" } : followed(one);
    return { finality, differing: told.filter((view) => storyOf(view) !== storyOf(one)) };
  }
  if (!isComplete) return null;
  // Equal receipts, of which some wait for their own heights, miss nothing.
  if ([...stories.values()].some((same) => same.length >= quorum)) return { finality: { kind: "waiting" } };
  if (views.filter(({ kind }) => kind !== "silent").length < quorum) return null;
  return { finality: stories.size > 1 ? contradicted(views) : { kind: "unclear" }, isMissed: true };
}

/** Whether an endpoint may yet come to see the block as final: its head rises, or it knows better already. */
function isAwaited(view: View): boolean {
  if (view.kind === "silent" || view.kind === "lacks" || view.isPast) return false;
  return view.kind === "denies" || view.kind === "moved" || view.isRising;
}

function waiting({ isPatienceOver, views }: Hearing): Finality {
  return isPatienceOver ? contradicted(views) : { kind: "waiting" };
}

function contradicted(views: readonly View[]): Finality {
  return { kind: "contradicted", said: views.map(saying) };
}

/** What follows from an endpoint that does not show it where it was seen. */
function followed(view: Heard): Finality {
  return view.kind === "moved"
    ? { kind: "moved", height: view.height, hash: view.hash, time: view.time }
    : { kind: "gone" };
}

function storyOf(view: Heard): string {
  return `${view.kind} ${placeOf(view) ?? ""}`;
}

/** Where a payment went that is not in its block any more: null when nowhere. */
function placeOf(view: Heard): string | null {
  return view.kind === "moved" ? view.hash : null;
}

/** What an endpoint says of a transfer, for people. */
export function saying(view: View): EndpointSays {
  return { endpoint: view.endpoint, says: wordsOf(view) };
}

function wordsOf(view: View): string {
  const early = view.kind !== "silent" && !view.isPast ? ", not final by its own height" : "";
  switch (view.kind) {
    case "shows":
      return `shows it${early}`;
    case "moved":
      return `shows it in another block, ${view.height}${early}`;
    case "denies":
      return `has that block without it${early}`;
    case "lacks":
      return "cannot show the block or the receipt";
    case "behind":
      return "has not come to that block";
    case "silent":
      return "does not answer";
  }
}
