import type { ChainError, EndpointSays, Finality } from "@/lib/chains/endpoints/source";
import type { Head } from "@/lib/domain/networks/finality";

/**
 * The opinion of one endpoint on a transfer. `shows`: it returns the payment in the block where it was seen, with the
 * time from its own header of that block. `moved`: in another block. `denies`: it has the block at that height, or the
 * transaction's receipt, without the payment. `lacks`: it cannot return the block or the receipt, as after pruning.
 * `behind`: its head is below the block. `isPast`: its own heights make that block final.
 */
export type Opinion = { head: Head | null; isPast: boolean } & (
  | { kind: "shows"; time: Date }
  | { kind: "denies" | "lacks" | "behind" }
  | { kind: "moved"; height: number; hash: string; time: Date }
);

/** The opinion of an endpoint, or the reason why there is none. */
export type View = { endpoint: string; isRising: boolean } & (Opinion | { kind: "silent"; error: ChainError | null });
type Heard = Exclude<View, { kind: "silent" }>;
type Shown = Extract<View, { kind: "shows" }>;

/** The opinions on one transfer, and the terms of the decision. */
export interface Hearing {
  views: readonly View[];
  /** The stored time of the transfer's block. */
  time: Date;
  /** Endpoints that must agree; one where a second endpoint is enough. */
  quorum: number;
  /** The endpoint that first reported the transfer, if known: it is no second opinion. */
  first: string | undefined;
  /** True if every endpoint was queried; all endpoints are then among the views. */
  isComplete: boolean;
  /** True if the wait for endpoints without a response is over. */
  isSilenceOver: boolean;
  /** True if the wait for endpoints whose head has not passed the block is over. */
  isPatienceOver: boolean;
}

/**
 * The decision on a transfer. `isAlone`: missing responses decided it, or are waited for. `isMissed`: too few endpoints
 * agree. `differing`: the endpoints that disagree with the decision.
 */
export interface Verdict {
  finality: Finality;
  isAlone?: boolean;
  isMissed?: boolean;
  differing?: readonly View[];
}

/**
 * Decides the finality of a transfer from the opinions of its network's endpoints, each queried alone (specification §6).
 * @returns null when they are not decisive: more endpoints must be queried; after all of them it remains undecided
 */
export function decideFinality(hearing: Hearing): Verdict | null {
  const { views, isComplete, quorum } = hearing;
  if (quorum > 1) return decideByQuorum(hearing);
  return isComplete && views.length === 1 ? decideAlone(hearing, views[0]) : decideBySecond(hearing);
}

function decideAlone(hearing: Hearing, only: View | undefined): Verdict | null {
  if (!only || only.kind === "silent" || only.kind === "behind" || only.kind === "lacks") return null;
  return { finality: followed(hearing, only) };
}

/** Decides without a quorum: a second endpoint must agree, and one contradiction makes the transfer wait. */
function decideBySecond(hearing: Hearing): Verdict | null {
  const { views, isComplete, first, time } = hearing;
  const shows = views.filter(isShown);
  const against = views.filter((view): view is Heard => view.kind === "denies" || view.kind === "moved");
  if (against.length > 0) return isComplete ? decideContradicted(hearing, shows, against) : null;
  const agreed = agreedTime(hearing, shows);
  if (agreed === null) {
    if (!isComplete) return null;
    return { finality: shows.some(({ isPast }) => isPast) ? contradicted(hearing) : waiting(hearing) };
  }
  const differing = shows.filter((view) => !isSameTime(view.time, agreed));
  if (!isSameTime(agreed, time)) return { finality: { kind: "retimed", time: agreed }, differing };
  const past = shows.filter((view) => view.isPast && isSameTime(view.time, time));
  const isSeconded = past.length > 1 || past.some(({ endpoint }) => first !== undefined && endpoint !== first);
  if (isSeconded) return { finality: { kind: "final" }, differing };
  return isComplete ? decideUnseconded(hearing, past.length > 0) : null;
}

function decideContradicted(hearing: Hearing, shows: readonly Shown[], against: readonly Heard[]): Verdict {
  if (shows.length === 0) return decideAgainst(hearing, against);
  return { finality: against.some(({ isPast }) => isPast) ? contradicted(hearing) : waiting(hearing) };
}

/**
 * Returns the block time that endpoints agree on: the only one that two of them return. The stored time counts as long
 * as no endpoint returns another one.
 * @returns null when endpoints contradict each other, or the stored time
 */
function agreedTime({ time }: Hearing, shows: readonly Shown[]): Date | null {
  if (shows.every((view) => isSameTime(view.time, time))) return time;
  const groups = [...Map.groupBy(shows, (view) => view.time.getTime()).values()].filter(({ length }) => length > 1);
  return groups.length === 1 ? (groups[0]?.[0]?.time ?? null) : null;
}

/** Decides when no endpoint contradicts and no second one agrees: waits for endpoints that may still respond. */
function decideUnseconded(hearing: Hearing, isPast: boolean): Verdict | null {
  const { views, isSilenceOver } = hearing;
  if (views.some(isAwaited)) return { finality: waiting(hearing) };
  if (!views.some(({ kind }) => kind === "shows")) return null;
  return { finality: isPast && isSilenceOver ? { kind: "final" } : { kind: "waiting" }, isAlone: true };
}

/**
 * Decides when no endpoint returns the transfer in its block. That it is gone, or in another block, also takes two
 * endpoints.
 */
function decideAgainst(hearing: Hearing, against: readonly Heard[]): Verdict {
  const [one, ...others] = against;
  const isPast = against.every((view) => view.isPast);
  if (!one || others.some((view) => placeOf(view) !== placeOf(one)))
    return { finality: isPast ? contradicted(hearing) : waiting(hearing) };
  if (one.kind === "denies" && !isPast) return { finality: waiting(hearing) };
  if (others.length > 0) return { finality: followed(hearing, one) };
  if (hearing.views.some((view) => view !== one && isAwaited(view))) return { finality: waiting(hearing) };
  return { finality: hearing.isSilenceOver ? followed(hearing, one) : { kind: "waiting" }, isAlone: true };
}

/**
 * Decides by quorum: that many endpoints must agree on receipts, heights and block times. Missing responses do not
 * lower the quorum.
 */
function decideByQuorum(hearing: Hearing): Verdict | null {
  const { views, quorum, isComplete } = hearing;
  const told = views.filter(
    (view): view is Heard => view.kind === "shows" || view.kind === "denies" || view.kind === "moved",
  );
  const stories = Map.groupBy(told, storyOf);
  for (const same of stories.values()) {
    const counted = same.filter(({ kind, isPast }) => isPast || kind === "moved");
    const [one] = counted;
    if (!one || counted.length < quorum) continue;
    return { finality: followed(hearing, one), differing: told.filter((view) => storyOf(view) !== storyOf(one)) };
  }
  if (!isComplete) return null;
  // Equal receipts, some of which wait for their endpoints' own heights, do not miss the quorum.
  if ([...stories.values()].some((same) => same.length >= quorum)) return { finality: { kind: "waiting" } };
  if (views.filter(({ kind }) => kind !== "silent").length < quorum) return null;
  return { finality: stories.size > 1 ? contradicted(hearing) : { kind: "unclear" }, isMissed: true };
}

/**
 * Returns true if an endpoint may still consider the block final: its head rises, or it has a different opinion
 * already.
 */
function isAwaited(view: View): boolean {
  if (view.kind === "silent" || view.kind === "lacks" || view.isPast) return false;
  return view.kind === "denies" || view.kind === "moved" || view.isRising;
}

function waiting(hearing: Hearing): Finality {
  return hearing.isPatienceOver ? contradicted(hearing) : { kind: "waiting" };
}

function contradicted({ views, time }: Hearing): Finality {
  return { kind: "contradicted", said: views.map((view) => saying(view, time)) };
}

/** Returns the finality that follows from one opinion. */
function followed({ time }: Hearing, view: Heard): Finality {
  switch (view.kind) {
    case "shows":
      return isSameTime(view.time, time) ? { kind: "final" } : { kind: "retimed", time: view.time };
    case "moved":
      return { kind: "moved", height: view.height, hash: view.hash, time: view.time };
    default:
      return { kind: "gone" };
  }
}

function isShown(view: View): view is Shown {
  return view.kind === "shows";
}

/**
 * Block times are compared to the second, without a tolerance: the time is a part of the block that every node has.
 * EVM: a field of the header, in whole seconds. TRON: a field in milliseconds, which java-tron's JSON-RPC divides by 1,000
 * and the reader of its HTTP API rounds down the same. Solana: the bank's clock (Agave,
 * cache_block_meta_service.rs: `cache_block_time(bank.slot(), bank.clock().unix_timestamp)`), which every validator computes
 * from the same votes, and with Alpenglow from the block's own footer (SIMD-0363).
 */
function isSameTime(one: Date, other: Date): boolean {
  return Math.floor(one.getTime() / 1_000) === Math.floor(other.getTime() / 1_000);
}

function storyOf(view: Heard): string {
  return `${view.kind} ${placeOf(view) ?? ""} ${view.kind === "shows" ? view.time.toISOString() : ""}`;
}

/** Returns the block and time of a payment that moved to another block; null when it is in none. */
function placeOf(view: Heard): string | null {
  return view.kind === "moved" ? `${view.hash} ${view.time.toISOString()}` : null;
}

/**
 * Describes the opinion of an endpoint on a transfer, for users.
 * @param time the stored time of the transfer's block
 */
export function saying(view: View, time: Date): EndpointSays {
  return { endpoint: view.endpoint, says: wordsOf(view, time) };
}

function wordsOf(view: View, time: Date): string {
  const early = view.kind !== "silent" && !view.isPast ? ", not final by its own height" : "";
  switch (view.kind) {
    case "shows": {
      const stored = isSameTime(view.time, time) ? "" : ` instead of ${inUtc(time)}`;
      return `returns it with the block time ${inUtc(view.time)}${stored}${early}`;
    }
    case "moved":
      return `returns it in another block, ${view.height}, with the block time ${inUtc(view.time)}${early}`;
    case "denies":
      return `has that block without it${early}`;
    case "lacks":
      return "cannot return the block or the receipt";
    case "behind":
      return "has not reached that block";
    case "silent":
      return "does not respond";
  }
}

/** "2026-01-01 12:00:00 UTC" */
function inUtc(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
