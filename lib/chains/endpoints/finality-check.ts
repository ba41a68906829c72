import { aloneWith, type Endpoints } from "@/lib/chains/endpoints/endpoints";
import {
  decideFinality,
  type Hearing,
  type Opinion,
  saying,
  type Verdict,
  type View,
} from "@/lib/chains/endpoints/finality-rules";
import {
  ChainError,
  type EndpointSays,
  type Finality,
  type FinalityChecker,
  type IsFinal,
  isUnreadable,
  type KnownTransfer,
  type QuorumMiss,
  type ReceiptTransfer,
} from "@/lib/chains/endpoints/source";
import type { Head } from "@/lib/domain/networks/finality";

/**
 * Asks one endpoint alone what it says of a transfer. What it says costs it nothing: nobody knows who is wrong.
 * @param isFinal whether its own head makes the block final; null where there is no other endpoint whose head could differ
 * @param isSole whether no other endpoint responds: the time of the block that it shows must then lie between the times of
 *   the blocks before and after it
 * @throws ChainError when it says nothing to trust
 */
export type Look = (
  alone: Endpoints,
  transfer: KnownTransfer,
  isFinal: IsFinal | null,
  isSole: boolean,
) => Promise<Opinion>;

/** A transfer of which too little was said, until it is asked for again. */
interface Open {
  since: Date;
  askedAt: Date;
  finality: Finality;
}

interface State {
  endpoints: Endpoints;
  look: Look;
  /** Transfer → the endpoint that told of it first. */
  toldBy: Map<string, string>;
  open: Map<string, Open>;
  /** The highest head that each endpoint showed, and when it last rose. */
  heads: Map<string, { height: number; risenAt: Date }>;
  /** Since when no second endpoint has said anything of any transfer, and when that was last seen. */
  alone: { since: Date; at: Date } | null;
  miss: QuorumMiss | null;
}

/** So long a second endpoint is waited for that says nothing, or whose head stands still below a block. */
const SILENCE_MS = 60_000;
/** Whoever is so far behind the time is waited for no longer than that, though its head rises. */
const FAR_BEHIND_MS = 600_000;
/** After so long it is told that an endpoint does not come to see a block as final. */
const PATIENCE_MS = 300_000;
const FIRST_AGAIN_MS = 1_000;
const LONGEST_AGAIN_MS = 600_000;
/** A contradiction is looked at again before, or its transfer is not there any more. */
const CONTRADICTION_OLD_MS = 900_000;
const MOST_REMEMBERED = 10_000;

export interface FinalityCheck {
  /** This endpoint told of transfers; whoever told first is no second opinion on them. */
  noteTold(endpoint: string, transfers: readonly Pick<KnownTransfer, "txId" | "position">[]): void;
  /** Contract §6: what one endpoint says alone is not enough where there are others, its heights included. */
  check(transfer: KnownTransfer, isFinal: IsFinal): Promise<Finality>;
  /** That endpoints contradict each other, or that one alone has to be believed, in words; null when neither is so. */
  warning(): string | null;
  quorumMiss(): QuorumMiss | null;
}

/** Compares what the endpoints of a network say of transfers, each alone; what it remembers lives and dies with the object. */
export function createFinalityCheck(endpoints: Endpoints, look: Look): FinalityCheck {
  const maps = { toldBy: new Map(), open: new Map(), heads: new Map() };
  const state: State = { endpoints, look, ...maps, alone: null, miss: null };
  return {
    noteTold(endpoint, transfers) {
      for (const one of transfers) {
        const key = identityOf(one);
        if (!state.toldBy.has(key)) keep(state.toldBy, key, endpoint);
      }
    },
    check: (transfer, isFinal) => check(state, transfer, isFinal),
    warning: () => [contradictions(state), loneliness(state)].filter(Boolean).join(" ") || null,
    quorumMiss: () => state.miss,
  };
}

async function check(state: State, transfer: KnownTransfer, isFinal: IsFinal): Promise<Finality> {
  const now = state.endpoints.now();
  const key = `${identityOf(transfer)} ${transfer.blockHash} ${transfer.blockTime.getTime()}`;
  const open = state.open.get(key);
  if (open && state.endpoints.all.length > 1 && now < againAt(open)) return open.finality;
  const since = open?.since ?? now;
  const finality = await decide(state, transfer, isFinal, now.getTime() - since.getTime());
  if (isDecided(finality)) state.open.delete(key);
  else keep(state.open, key, { since, askedAt: now, finality });
  return finality;
}

/** Returns whether a finality is more than an interim result. */
export function isDecided({ kind }: Finality): boolean {
  return kind === "final" || kind === "retimed" || kind === "moved" || kind === "gone";
}

/** The longer nothing is decided, the more seldom it is asked for: what a transfer costs is bounded. */
function againAt({ since, askedAt }: Open): Date {
  const waited = askedAt.getTime() - since.getTime();
  return new Date(askedAt.getTime() + Math.min(LONGEST_AGAIN_MS, Math.max(FIRST_AGAIN_MS, waited / 4)));
}

/** Those in no trouble are asked, as many as a quorum takes; the others only where that settles nothing. */
async function decide(state: State, transfer: KnownTransfer, isFinal: IsFinal, waitedMs: number): Promise<Finality> {
  const { endpoints, toldBy } = state;
  const { quorum, all } = endpoints;
  const first = toldBy.get(identityOf(transfer));
  const order = endpoints.inOrder().map(({ name, errors }) => ({ name, isWell: errors === 0 }));
  const well = order.filter(({ isWell }) => isWell || all.length === 1);
  const eager = quorum > 1 ? well.slice(0, quorum) : well;
  const terms = {
    quorum,
    first,
    time: transfer.blockTime,
    isSilenceOver: waitedMs >= SILENCE_MS || isAlone(state),
    isPatienceOver: waitedMs >= PATIENCE_MS,
  };
  let views = await hear(state, eager, transfer, isFinal);
  let verdict = decideFinality({ ...terms, views, isComplete: all.length === 1 });
  if (verdict === null && all.length > 1) {
    const rest = order.filter((one) => !eager.includes(one));
    views.push(...(await hear(state, rest, transfer, isFinal)));
    const resting = all.filter(({ name }) => !views.some(({ endpoint }) => endpoint === name));
    for (const { name } of resting) views.push({ endpoint: name, isRising: false, kind: "silent", error: null });
    const place = ({ endpoint }: View) => all.findIndex(({ name }) => name === endpoint);
    views.sort((one, two) => place(one) - place(two));
    verdict = decideFinality({ ...terms, views, isComplete: true });
  }
  if (verdict?.isAlone && verdict.finality.kind === "final") {
    const sole = views.filter(({ kind }) => kind === "shows").map(({ endpoint }) => ({ name: endpoint }));
    const again = await hear(state, sole, transfer, isFinal, true);
    views = views.map((view) => again.find(({ endpoint }) => endpoint === view.endpoint) ?? view);
    verdict = decideFinality({ ...terms, views, isComplete: true });
  }
  noteVerdict(state, verdict, { views, time: transfer.blockTime });
  return verdict?.finality ?? unanswered(state, views);
}

async function hear(
  state: State,
  asked: readonly { name: string }[],
  transfer: KnownTransfer,
  isFinal: IsFinal,
  isSole = state.endpoints.all.length === 1,
): Promise<View[]> {
  const { endpoints, look } = state;
  const rule = endpoints.all.length === 1 ? null : isFinal;
  return Promise.all(
    asked.map(async ({ name: endpoint }): Promise<View> => {
      try {
        const opinion = await look(isolated(endpoints, endpoint), transfer, rule, isSole);
        return { endpoint, isRising: noteHead(state, endpoint, opinion.head), ...opinion };
      } catch (error) {
        if (!(error instanceof ChainError)) throw error;
        return { endpoint, isRising: false, kind: "silent", error };
      }
    }),
  );
}

/** As if there were no other: whatever this one says is held against nobody. */
function isolated(endpoints: Endpoints, only: string): Endpoints {
  const all = endpoints.all.filter(({ name }) => name === only);
  return { ...aloneWith(endpoints, only), all, dispute: () => {}, disputeFirst: () => {} };
}

/** Whether an endpoint follows its chain: its head rose within a minute, and is of today. */
function noteHead({ heads, endpoints }: State, name: string, head: Head | null): boolean {
  if (!head) return false;
  const now = endpoints.now();
  const known = heads.get(name);
  const { risenAt } = known && known.height >= head.height ? known : { risenAt: now };
  heads.set(name, { height: Math.max(head.height, known?.height ?? 0), risenAt });
  const isFarBehind = now.getTime() - head.time.getTime() > FAR_BEHIND_MS;
  return !isFarBehind && now.getTime() - risenAt.getTime() < SILENCE_MS;
}

function isAlone({ alone, endpoints }: State): boolean {
  const now = endpoints.now().getTime();
  return alone !== null && now - alone.at.getTime() < SILENCE_MS && now - alone.since.getTime() >= SILENCE_MS;
}

/** What was heard of a transfer, and the stored time of its block. */
type Told = Pick<Hearing, "views" | "time">;

function noteVerdict(state: State, verdict: Verdict | null, told: Told): void {
  const { endpoints } = state;
  const now = endpoints.now();
  for (const view of verdict?.differing ?? []) tellDiffering(state, view, told);
  if (endpoints.quorum > 1) noteQuorum(state, verdict, told);
  else if (verdict?.isAlone) {
    const isRecent = state.alone && now.getTime() - state.alone.at.getTime() < SILENCE_MS;
    state.alone = { since: isRecent && state.alone ? state.alone.since : now, at: now };
  } else if (verdict) state.alone = null;
}

/** Whoever differs in the time alone has the block, and is known to be wrong about it: it is asked last for a while. */
function tellDiffering({ endpoints }: State, view: View, { time }: Told): void {
  const message = `of a transfer it ${saying(view, time).says}; other endpoints agree on something else`;
  if (view.kind === "shows") endpoints.dispute(view.endpoint, new ChainError("inconsistent", message));
  else endpoints.tell({ endpoint: view.endpoint, kind: "inconsistent", message });
}

function noteQuorum(state: State, verdict: Verdict | null, { views }: Told): void {
  const { quorum, all, now, tell } = state.endpoints;
  if (verdict && !verdict.isMissed) {
    if (verdict.finality.kind !== "waiting") state.miss = null;
    return;
  }
  state.miss = { quorum, since: state.miss?.since ?? now(), at: now() };
  const answers = views.filter(({ kind }) => kind !== "silent").length;
  const counted = `${answers} of ${all.length} endpoints answered, and fewer than ${quorum} of them agree, as the quorum demands`;
  tell({ endpoint: "quorum", kind: "inconsistent", message: `what became of a transfer: ${counted}` });
}

/** Nobody said anything that settles it. @throws ChainError when too few were there to say anything at all */
function unanswered({ endpoints }: State, views: readonly View[]): Finality {
  const errors = views.flatMap((view) => (view.kind === "silent" ? (view.error ?? []) : []));
  const answers = views.filter(({ kind }) => kind !== "silent").length;
  const doubts = errors.filter((error) => isUnreadable(error) || error.kind === "inconsistent").length;
  if (answers + doubts >= endpoints.quorum) return { kind: "unclear" };
  throw errors[0] ?? new ChainError("unavailable", "what became of a transfer: all endpoints rest after errors");
}

function contradictions({ endpoints, open }: State): string | null {
  const now = endpoints.now().getTime();
  const disputes = [...open.values()].flatMap(({ finality, askedAt }): (readonly EndpointSays[])[] =>
    finality.kind === "contradicted" && now - askedAt.getTime() < CONTRADICTION_OLD_MS ? [finality.said] : [],
  );
  const [first] = disputes;
  if (!first) return null;
  const place = (name: string) => endpoints.all.findIndex((one) => one.name === name) + 1;
  const said = first.map(({ endpoint, says }) => `endpoint ${place(endpoint)} (${endpoint}) ${says}`).join("; ");
  const count = disputes.length === 1 ? "A payment waits" : `${disputes.length} payments wait`;
  return `${count}, for the endpoints contradict each other: ${said}. Nobody here knows which of them is right: look the payment up elsewhere, then take the wrong endpoint out of the settings, or mark the order as paid by hand.`;
}

function loneliness({ endpoints, alone }: State): string | null {
  const now = endpoints.now().getTime();
  if (!alone || now - alone.since.getTime() < SILENCE_MS || now - alone.at.getTime() >= FAR_BEHIND_MS) return null;
  const since = alone.since.toISOString().slice(0, 16).replace("T", " ");
  return `No second endpoint has said anything of a payment since ${since} UTC: what one endpoint says is believed until another one is back.`;
}

function identityOf({ txId, position }: Pick<KnownTransfer, "txId" | "position">): string {
  return `${txId} ${position}`;
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= MOST_REMEMBERED) return;
    map.delete(oldest);
  }
}

/**
 * For transfers that are looked at together a head is read once, until anybody shows a newer one; one that makes a block
 * final goes on doing so.
 */
const HEAD_OLD_MS = 100;

/**
 * Reads the heads of endpoints, each by itself, and says whether they make a block final.
 * @param createReader makes a reader of one endpoint's own head
 */
export function lookAtHead(createReader: (alone: Endpoints) => () => Promise<Head>) {
  interface Reader {
    read: () => Promise<Head>;
    last: { head: Head; at: Date; newest: number } | null;
    /** On its way, for all that are looked at meanwhile. */
    reading: Promise<Head> | null;
  }
  const readers = new Map<string, Reader>();
  return async (alone: Endpoints, isFinal: IsFinal | null): Promise<Pick<Opinion, "head" | "isPast">> => {
    if (isFinal === null) return { head: null, isPast: true };
    const name = alone.all[0]?.name ?? "";
    const reader = readers.get(name) ?? { read: createReader(alone), last: null, reading: null };
    readers.set(name, reader);
    const known = reader.last;
    const newest = Math.max(...alone.heads());
    const isRecent = known !== null && alone.now().getTime() - known.at.getTime() < HEAD_OLD_MS;
    const isFresh = isRecent && newest <= known.newest;
    if (known && (isFresh || isFinal(known.head))) return { head: known.head, isPast: isFinal(known.head) };
    reader.reading ??= reader.read().finally(() => {
      reader.reading = null;
    });
    const head = await reader.reading;
    reader.last = { head, at: alone.now(), newest: Math.max(newest, head.height) };
    return { head, isPast: isFinal(head) };
  };
}

/** The rule for a block that an endpoint shows, with the time that its own header carries. */
export function withOwnTime(isFinal: IsFinal | null, time: Date): IsFinal | null {
  return isFinal && ((head) => isFinal(head, time));
}

/** Transfers of one block are looked at together: its header is read once for them. */
const SHARED_MS = 1_000;

/** Shares what one endpoint says about a block among all that ask for it within a second. */
export function createSharedReads<T>() {
  const shared = new Map<string, { value: Promise<T>; at: number }>();
  return (alone: Endpoints, block: string, read: () => Promise<T>): Promise<T> => {
    const now = alone.now().getTime();
    for (const [key, { at }] of shared) if (now - at >= SHARED_MS) shared.delete(key);
    const key = `${alone.all[0]?.name} ${block}`;
    const known = shared.get(key);
    if (known) return known.value;
    const value = read();
    shared.set(key, { value, at: now });
    value.catch(() => shared.delete(key));
    return value;
  };
}

/**
 * Checks a transfer that was reported and is in no ledger: where the endpoints agree on another block time, that one counts.
 * @param ruleFor whether a head makes a block of this time final
 */
export async function checkReported(
  checker: Pick<FinalityChecker, "checkFinality">,
  transfer: KnownTransfer,
  ruleFor: (blockTime: Date) => IsFinal,
): Promise<{ kind: Finality["kind"]; blockTime: Date }> {
  const { blockTime } = transfer;
  const reported = await checker.checkFinality(transfer, ruleFor(blockTime));
  if (reported.kind !== "retimed") return { kind: reported.kind, blockTime };
  const { time } = reported;
  const { kind } = await checker.checkFinality({ ...transfer, blockTime: time }, ruleFor(time));
  return { kind, blockTime: time };
}

/** Whether what a chain shows now is the payment in the ledger, to the last unit. */
export function isSamePayment(
  candidate: Pick<ReceiptTransfer, "position" | "token" | "to" | "baseUnits">,
  transfer: Pick<KnownTransfer, "position" | "token" | "to" | "baseUnits">,
): boolean {
  return (
    candidate.position === transfer.position &&
    candidate.token === transfer.token &&
    candidate.to === transfer.to &&
    candidate.baseUnits === transfer.baseUnits
  );
}
