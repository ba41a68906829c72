import type { ChainError, EndpointStatement, Finality } from "@/lib/chains/endpoints/source";
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
type Responded = Exclude<View, { kind: "silent" }>;
type Shown = Extract<View, { kind: "shows" }>;

/** The opinions on one transfer, and the conditions of the decision. */
export interface FinalityRound {
  views: readonly View[];
  /** The stored time of the transfer's block. */
  time: Date;
  /** The number of endpoints that must agree; 1 if no quorum is required, so that a second endpoint is enough. */
  quorum: number;
  /** The endpoint that first reported the transfer, if known. It does not count as a second opinion. */
  first: string | undefined;
  /** True if every endpoint was queried; all endpoints are then among the views. */
  isComplete: boolean;
  /** True if the wait for endpoints without a response has ended. */
  isSilenceOver: boolean;
  /** True if the wait for endpoints whose head has not passed the block has ended. */
  isPatienceOver: boolean;
}

/**
 * The decision on a transfer. `isSingleSource`: responses are missing, so the decision relies on a single endpoint or is pending.
 * `isMissed`: too few endpoints agree. `differing`: the endpoints that disagree with the decision.
 */
export interface Verdict {
  finality: Finality;
  isSingleSource?: boolean;
  isMissed?: boolean;
  differing?: readonly View[];
}

/**
 * Decides the finality of a transfer from the opinions of its network's endpoints, each queried alone (specification §6).
 * @returns null when they are not decisive. More endpoints must then be queried; if all were queried, the transfer remains undecided.
 */
export function decideFinality(round: FinalityRound): Verdict | null {
  const { views, isComplete, quorum } = round;
  if (quorum > 1) return decideByQuorum(round);
  return isComplete && views.length === 1 ? decideSingle(round, views[0]) : decideBySecond(round);
}

function decideSingle(round: FinalityRound, only: View | undefined): Verdict | null {
  if (!only || only.kind === "silent" || only.kind === "behind" || only.kind === "lacks") return null;
  return { finality: followed(round, only) };
}

/** Decides without a quorum: a second endpoint must agree, and a single contradiction leaves the transfer undecided. */
function decideBySecond(round: FinalityRound): Verdict | null {
  const { views, isComplete, first, time } = round;
  const shows = views.filter(isShown);
  const against = views.filter((view): view is Responded => view.kind === "denies" || view.kind === "moved");
  if (against.length > 0) return isComplete ? decideContradicted(round, shows, against) : null;
  const agreed = agreedTime(round, shows);
  if (agreed === null) {
    if (!isComplete) return null;
    return { finality: shows.some(({ isPast }) => isPast) ? contradicted(round) : waiting(round) };
  }
  const differing = shows.filter((view) => !isSameTime(view.time, agreed));
  if (!isSameTime(agreed, time)) return { finality: { kind: "retimed", time: agreed }, differing };
  const past = shows.filter((view) => view.isPast && isSameTime(view.time, time));
  const isSeconded = past.length > 1 || past.some(({ endpoint }) => first !== undefined && endpoint !== first);
  if (isSeconded) return { finality: { kind: "final" }, differing };
  return isComplete ? decideUnseconded(round, past.length > 0) : null;
}

function decideContradicted(round: FinalityRound, shows: readonly Shown[], against: readonly Responded[]): Verdict {
  if (shows.length === 0) return decideAgainst(round, against);
  return { finality: against.some(({ isPast }) => isPast) ? contradicted(round) : waiting(round) };
}

/**
 * Returns the block time on which endpoints agree: the only time that two of them return, or the stored time if no endpoint returns a
 * different one.
 * @returns null when endpoints contradict each other, or the stored time
 */
function agreedTime({ time }: FinalityRound, shows: readonly Shown[]): Date | null {
  if (shows.every((view) => isSameTime(view.time, time))) return time;
  const groups = [...Map.groupBy(shows, (view) => view.time.getTime()).values()].filter(({ length }) => length > 1);
  return groups.length === 1 ? (groups[0]?.[0]?.time ?? null) : null;
}

/** Decides if no endpoint contradicts the transfer and no second endpoint confirms it: waits for endpoints that may still respond. */
function decideUnseconded(round: FinalityRound, isPast: boolean): Verdict | null {
  const { views, isSilenceOver } = round;
  if (views.some(isAwaited)) return { finality: waiting(round) };
  if (!views.some(({ kind }) => kind === "shows")) return null;
  return { finality: isPast && isSilenceOver ? { kind: "final" } : { kind: "waiting" }, isSingleSource: true };
}

/** Decides when no endpoint returns the transfer in its block. Two endpoints must also agree that it is gone or in a different block. */
function decideAgainst(round: FinalityRound, against: readonly Responded[]): Verdict {
  const [one, ...others] = against;
  const isPast = against.every((view) => view.isPast);
  if (!one || others.some((view) => blockOf(view) !== blockOf(one)))
    return { finality: isPast ? contradicted(round) : waiting(round) };
  if (one.kind === "denies" && !isPast) return { finality: waiting(round) };
  if (others.length > 0) return { finality: followed(round, one) };
  if (round.views.some((view) => view !== one && isAwaited(view))) return { finality: waiting(round) };
  return { finality: round.isSilenceOver ? followed(round, one) : { kind: "waiting" }, isSingleSource: true };
}

/** Decides by quorum: a quorum of endpoints must agree on receipts, heights and block times. Missing responses do not lower the quorum. */
function decideByQuorum(round: FinalityRound): Verdict | null {
  const { views, quorum, isComplete } = round;
  const reported = views.filter(
    (view): view is Responded => view.kind === "shows" || view.kind === "denies" || view.kind === "moved",
  );
  const scenarios = Map.groupBy(reported, describeView);
  for (const same of scenarios.values()) {
    const counted = same.filter(({ kind, isPast }) => isPast || kind === "moved");
    const [one] = counted;
    if (!one || counted.length < quorum) continue;
    return {
      finality: followed(round, one),
      differing: reported.filter((view) => describeView(view) !== describeView(one)),
    };
  }
  if (!isComplete) return null;
  // If enough receipts match, the quorum is not missed, even if the heights of some of these endpoints are still too low.
  if ([...scenarios.values()].some((same) => same.length >= quorum)) return { finality: { kind: "waiting" } };
  if (views.filter(({ kind }) => kind !== "silent").length < quorum) return null;
  return { finality: scenarios.size > 1 ? contradicted(round) : { kind: "unclear" }, isMissed: true };
}

/**
 * Returns true if the decision must still wait for an endpoint whose own heights do not make the block final yet: its head rises, or it
 * does not return the payment in that block.
 */
function isAwaited(view: View): boolean {
  if (view.kind === "silent" || view.kind === "lacks" || view.isPast) return false;
  return view.kind === "denies" || view.kind === "moved" || view.isRising;
}

function waiting(round: FinalityRound): Finality {
  return round.isPatienceOver ? contradicted(round) : { kind: "waiting" };
}

function contradicted({ views, time }: FinalityRound): Finality {
  return { kind: "contradicted", said: views.map((view) => toStatement(view, time)) };
}

/** Returns the finality that follows from one opinion. */
function followed({ time }: FinalityRound, view: Responded): Finality {
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
 * Returns true if two block times are equal to the second. There is no tolerance, because the time is a part of the block that every node
 * has. EVM: a field of the header, in whole seconds. TRON: a field in milliseconds, which java-tron's JSON-RPC divides by 1,000 and the
 * reader of its HTTP API rounds down the same. Solana: the bank's clock (Agave, cache_block_meta_service.rs:
 * `cache_block_time(bank.slot(), bank.clock().unix_timestamp)`), which every validator computes from the same votes, and with Alpenglow
 * from the block's own footer (SIMD-0363).
 */
function isSameTime(one: Date, other: Date): boolean {
  return Math.floor(one.getTime() / 1_000) === Math.floor(other.getTime() / 1_000);
}

function describeView(view: Responded): string {
  return `${view.kind} ${blockOf(view) ?? ""} ${view.kind === "shows" ? view.time.toISOString() : ""}`;
}

/** Returns the block and time of a payment that moved to another block; null if the payment is in no block. */
function blockOf(view: Responded): string | null {
  return view.kind === "moved" ? `${view.hash} ${view.time.toISOString()}` : null;
}

/**
 * Describes the opinion of an endpoint on a transfer, for users.
 * @param time the stored time of the transfer's block
 */
export function toStatement(view: View, time: Date): EndpointStatement {
  return { endpoint: view.endpoint, says: describeOpinion(view, time) };
}

function describeOpinion(view: View, time: Date): string {
  const early = view.kind !== "silent" && !view.isPast ? ", but it is not final at the endpoint's own height" : "";
  switch (view.kind) {
    case "shows": {
      const stored = isSameTime(view.time, time) ? "" : ` instead of ${inUtc(time)}`;
      return `returns the transfer with the block time ${inUtc(view.time)}${stored}${early}`;
    }
    case "moved":
      return `returns the transfer in another block, ${view.height}, with the block time ${inUtc(view.time)}${early}`;
    case "denies":
      return `has the block without the transfer${early}`;
    case "lacks":
      return "cannot return the block or the receipt";
    case "behind":
      return "has not reached the block";
    case "silent":
      return "does not respond";
  }
}

/** Formats a time, such as "2026-01-01 12:00:00 UTC". */
function inUtc(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
