import { type Endpoints, singleEndpoint } from "@/lib/chains/endpoints/endpoints";
import {
  decideFinality,
  type FinalityRound,
  type Opinion,
  toStatement,
  type Verdict,
  type View,
} from "@/lib/chains/endpoints/finality-rules";
import {
  ChainError,
  type EndpointStatement,
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
 * A function that reads a transfer from only one endpoint. A response that differs from the known transfer does not count against the
 * endpoint, because it is unknown which endpoint is wrong.
 * @param isFinal returns true if the endpoint's own head makes the block final; null if there is no other endpoint whose head could differ
 * @param isSole true if no other endpoint responds: the time of the returned block must then be between the times of the blocks before and
 * after it
 * @throws ChainError when the endpoint returns no trustworthy data
 */
export type Look = (
  single: Endpoints,
  transfer: KnownTransfer,
  isFinal: IsFinal | null,
  isSole: boolean,
) => Promise<Opinion>;

/** An undecided transfer that will be checked again. */
interface Open {
  since: Date;
  askedAt: Date;
  finality: Finality;
}

interface State {
  endpoints: Endpoints;
  look: Look;
  /** The endpoint that first reported each transfer in its block. */
  reportedBy: Map<string, string>;
  open: Map<string, Open>;
  /** The highest head that each endpoint returned, and the time when it last rose. */
  heads: Map<string, { height: number; risenAt: Date }>;
  /** The time since which no second endpoint has returned any transfer, and the time at which this was last observed. */
  single: { since: Date; at: Date } | null;
  miss: QuorumMiss | null;
}

/** The longest wait for a second endpoint that does not respond, or whose head does not reach the block of a transfer. */
const SILENCE_MS = 60_000;
/** The maximum lag of a rising head behind the current time. If the lag is larger, the check does not wait for the head's endpoint. */
const FAR_BEHIND_MS = 600_000;
/** The time after which an endpoint that does not consider a block final is reported. */
const PATIENCE_MS = 300_000;
const FIRST_AGAIN_MS = 1_000;
const LONGEST_AGAIN_MS = 600_000;
/**
 * The time since the last check of a transfer after which its contradiction is no longer reported. A transfer that still exists is checked
 * again before that.
 */
const CONTRADICTION_OLD_MS = 900_000;
const MAX_REMEMBERED = 10_000;

/** A transfer and the block that contains it. */
type Reported = Pick<KnownTransfer, "txId" | "position" | "blockHash">;

export interface FinalityCheck {
  /**
   * Records that an endpoint reported transfers. The endpoint that reported a transfer in a block first does not count as a second opinion
   * on it.
   */
  recordReporter(endpoint: string, transfers: readonly Reported[]): void;
  /**
   * Checks a transfer (specification §6). If there are several endpoints, the response of a single one, including its heights, is not
   * sufficient.
   */
  check(transfer: KnownTransfer, isFinal: IsFinal): Promise<Finality>;
  /** Returns a description of contradictions between endpoints, or of the reliance on a single endpoint; null if there is neither. */
  warning(): string | null;
  quorumMiss(): QuorumMiss | null;
}

/**
 * Creates a check that compares the opinions of a network's endpoints on transfers. Each endpoint is queried separately. The state is in
 * memory only.
 */
export function createFinalityCheck(endpoints: Endpoints, look: Look): FinalityCheck {
  const maps = { reportedBy: new Map(), open: new Map(), heads: new Map() };
  const state: State = { endpoints, look, ...maps, single: null, miss: null };
  return {
    recordReporter(endpoint, transfers) {
      for (const one of transfers) {
        const key = placeOf(one);
        if (!state.reportedBy.has(key)) keep(state.reportedBy, key, endpoint);
      }
    },
    check: (transfer, isFinal) => check(state, transfer, isFinal),
    warning: () => [contradictions(state), singleSourceWarning(state)].filter(Boolean).join(" ") || null,
    quorumMiss: () => state.miss,
  };
}

async function check(state: State, transfer: KnownTransfer, isFinal: IsFinal): Promise<Finality> {
  const now = state.endpoints.now();
  const key = `${placeOf(transfer)} ${transfer.blockTime.getTime()}`;
  const open = state.open.get(key);
  if (open && state.endpoints.all.length > 1 && now < againAt(open)) return open.finality;
  const since = open?.since ?? now;
  const finality = await decide(state, transfer, isFinal, now.getTime() - since.getTime());
  if (isDecided(finality)) state.open.delete(key);
  else keep(state.open, key, { since, askedAt: now, finality });
  return finality;
}

/** Returns true if a finality is conclusive, not an interim result. */
export function isDecided({ kind }: Finality): boolean {
  return kind === "final" || kind === "retimed" || kind === "moved" || kind === "gone";
}

/**
 * Returns the time of the next check. The interval grows while a transfer is undecided, so that its cost is bounded.
 */
function againAt({ since, askedAt }: Open): Date {
  const waited = askedAt.getTime() - since.getTime();
  return new Date(askedAt.getTime() + Math.min(LONGEST_AGAIN_MS, Math.max(FIRST_AGAIN_MS, waited / 4)));
}

/** Queries as many healthy endpoints as the quorum requires. Queries the others only if these responses are not decisive. */
async function decide(state: State, transfer: KnownTransfer, isFinal: IsFinal, waitedMs: number): Promise<Finality> {
  const { endpoints, reportedBy } = state;
  const { quorum, all } = endpoints;
  const first = reportedBy.get(placeOf(transfer));
  const order = endpoints.inOrder().map(({ name, errors }) => ({ name, isWell: errors === 0 }));
  const well = order.filter(({ isWell }) => isWell || all.length === 1);
  const eager = quorum > 1 ? well.slice(0, quorum) : well;
  const terms = {
    quorum,
    first,
    time: transfer.blockTime,
    isSilenceOver: waitedMs >= SILENCE_MS || isSingleSource(state),
    isPatienceOver: waitedMs >= PATIENCE_MS,
  };
  let views = await askEndpoints(state, eager, transfer, isFinal);
  let verdict = decideFinality({ ...terms, views, isComplete: all.length === 1 });
  if (verdict === null && all.length > 1) {
    const rest = order.filter((one) => !eager.includes(one));
    views.push(...(await askEndpoints(state, rest, transfer, isFinal)));
    const coolingDown = all.filter(({ name }) => !views.some(({ endpoint }) => endpoint === name));
    for (const { name } of coolingDown) views.push({ endpoint: name, isRising: false, kind: "silent", error: null });
    const numberOf = ({ endpoint }: View) => all.findIndex(({ name }) => name === endpoint);
    views.sort((one, two) => numberOf(one) - numberOf(two));
    // An endpoint that waits after errors may respond again, so that it must be queried before a single endpoint decides.
    const isSilenceOver = waitedMs >= SILENCE_MS || (terms.isSilenceOver && coolingDown.length === 0);
    verdict = decideFinality({ ...terms, isSilenceOver, views, isComplete: true });
  }
  if (verdict?.isSingleSource && verdict.finality.kind === "final") {
    const sole = views.filter(({ kind }) => kind === "shows").map(({ endpoint }) => ({ name: endpoint }));
    const again = await askEndpoints(state, sole, transfer, isFinal, true);
    views = views.map((view) => again.find(({ endpoint }) => endpoint === view.endpoint) ?? view);
    verdict = decideFinality({ ...terms, views, isComplete: true });
  }
  noteVerdict(state, verdict, { views, time: transfer.blockTime });
  return verdict?.finality ?? unanswered(state, views);
}

async function askEndpoints(
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

/** Returns the endpoints reduced to the given one, so that its response counts against no endpoint. */
function isolated(endpoints: Endpoints, only: string): Endpoints {
  const all = endpoints.all.filter(({ name }) => name === only);
  return { ...singleEndpoint(endpoints, only), all, dispute: () => {}, disputeFirst: () => {} };
}

/** Records a head. Returns true if the endpoint follows its chain: its head rose within a minute, and is recent. */
function noteHead({ heads, endpoints }: State, name: string, head: Head | null): boolean {
  if (!head) return false;
  const now = endpoints.now();
  const known = heads.get(name);
  const { risenAt } = known && known.height >= head.height ? known : { risenAt: now };
  heads.set(name, { height: Math.max(head.height, known?.height ?? 0), risenAt });
  const isFarBehind = now.getTime() - head.time.getTime() > FAR_BEHIND_MS;
  return !isFarBehind && now.getTime() - risenAt.getTime() < SILENCE_MS;
}

function isSingleSource({ single, endpoints }: State): boolean {
  const now = endpoints.now().getTime();
  return single !== null && now - single.at.getTime() < SILENCE_MS && now - single.since.getTime() >= SILENCE_MS;
}

/** The opinions on a transfer, and the stored time of its block. */
type Delivered = Pick<FinalityRound, "views" | "time">;

function noteVerdict(state: State, verdict: Verdict | null, delivered: Delivered): void {
  const { endpoints } = state;
  const now = endpoints.now();
  for (const view of verdict?.differing ?? []) reportDisagreement(state, view, delivered);
  if (endpoints.quorum > 1) noteQuorum(state, verdict, delivered);
  else if (verdict?.isSingleSource) {
    const isRecent = state.single && now.getTime() - state.single.at.getTime() < SILENCE_MS;
    state.single = { since: isRecent && state.single ? state.single.since : now, at: now };
  } else if (verdict) state.single = null;
}

/**
 * Reports an endpoint with a different opinion. An endpoint that differs only in the time has the block but reports the wrong time, so it
 * is ranked last for a while.
 */
function reportDisagreement({ endpoints }: State, view: View, { time }: Delivered): void {
  const message = `it ${toStatement(view, time).says}; other endpoints agree on a different result`;
  if (view.kind === "shows") endpoints.dispute(view.endpoint, new ChainError("inconsistent", message));
  else endpoints.onError({ endpoint: view.endpoint, kind: "inconsistent", message });
}

function noteQuorum(state: State, verdict: Verdict | null, { views }: Delivered): void {
  const { quorum, all, now, onError } = state.endpoints;
  if (verdict && !verdict.isMissed) {
    if (verdict.finality.kind !== "waiting") state.miss = null;
    return;
  }
  state.miss = { quorum, since: state.miss?.since ?? now(), at: now() };
  const answers = views.filter(({ kind }) => kind !== "silent").length;
  const counted = `${answers} of ${all.length} endpoints responded, and fewer than the required quorum of ${quorum} agree`;
  onError({ endpoint: "quorum", kind: "inconsistent", message: `status of a transfer: ${counted}` });
}

/**
 * Returns the finality when no opinion is decisive.
 * @throws ChainError when too few endpoints responded
 */
function unanswered({ endpoints }: State, views: readonly View[]): Finality {
  const errors = views.flatMap((view) => (view.kind === "silent" ? (view.error ?? []) : []));
  const answers = views.filter(({ kind }) => kind !== "silent").length;
  const doubts = errors.filter((error) => isUnreadable(error) || error.kind === "inconsistent").length;
  if (answers + doubts >= endpoints.quorum) return { kind: "unclear" };
  throw errors[0] ?? new ChainError("unavailable", "status of a transfer: all endpoints are cooling down after errors");
}

function contradictions({ endpoints, open }: State): string | null {
  const now = endpoints.now().getTime();
  const disputes = [...open.values()].flatMap(({ finality, askedAt }): (readonly EndpointStatement[])[] =>
    finality.kind === "contradicted" && now - askedAt.getTime() < CONTRADICTION_OLD_MS ? [finality.said] : [],
  );
  const [first] = disputes;
  if (!first) return null;
  const numberOf = (name: string) => endpoints.all.findIndex((one) => one.name === name) + 1;
  const statements = first
    .map(({ endpoint, says }) => `endpoint ${numberOf(endpoint)} (${endpoint}) ${says}`)
    .join("; ");
  const count = disputes.length === 1 ? "A payment is pending" : `${disputes.length} payments are pending`;
  return `${count} because the endpoints contradict each other: ${statements}. Check the payment in a block explorer, then remove the faulty endpoint from the settings, or mark the order as paid manually.`;
}

function singleSourceWarning({ endpoints, single }: State): string | null {
  const now = endpoints.now().getTime();
  if (!single || now - single.since.getTime() < SILENCE_MS || now - single.at.getTime() >= FAR_BEHIND_MS) return null;
  const since = single.since.toISOString().slice(0, 16).replace("T", " ");
  return `No second endpoint has confirmed a payment since ${since} UTC: a single endpoint decides until another one responds.`;
}

function placeOf({ txId, position, blockHash }: Reported): string {
  return `${txId} ${position} ${blockHash}`;
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= MAX_REMEMBERED) return;
    map.delete(oldest);
  }
}

/**
 * The longest time for which a head is reused for transfers that are checked together, unless an endpoint returns a newer one. A head that
 * makes a block final stays valid.
 */
const HEAD_OLD_MS = 100;

/**
 * Returns a function that reads the heads of endpoints, each separately, and checks if they make a block final.
 * @param createReader creates a reader of one endpoint's own head
 */
export function lookAtHead(createReader: (single: Endpoints) => () => Promise<Head>) {
  interface Reader {
    read: () => Promise<Head>;
    last: { head: Head; at: Date; newest: number } | null;
    /** The read in progress, shared by concurrent checks. */
    reading: Promise<Head> | null;
  }
  const readers = new Map<string, Reader>();
  return async (single: Endpoints, isFinal: IsFinal | null): Promise<Pick<Opinion, "head" | "isPast">> => {
    if (isFinal === null) return { head: null, isPast: true };
    const name = single.all[0]?.name ?? "";
    const reader = readers.get(name) ?? { read: createReader(single), last: null, reading: null };
    readers.set(name, reader);
    const known = reader.last;
    const newest = Math.max(...single.heads());
    const isRecent = known !== null && single.now().getTime() - known.at.getTime() < HEAD_OLD_MS;
    const isFresh = isRecent && newest <= known.newest;
    if (known && (isFresh || isFinal(known.head))) return { head: known.head, isPast: isFinal(known.head) };
    reader.reading ??= reader.read().finally(() => {
      reader.reading = null;
    });
    const head = await reader.reading;
    reader.last = { head, at: single.now(), newest: Math.max(newest, head.height) };
    return { head, isPast: isFinal(head) };
  };
}

/** Returns a finality rule that uses the block time from the endpoint's own header. */
export function withOwnTime(isFinal: IsFinal | null, time: Date): IsFinal | null {
  return isFinal && ((head) => isFinal(head, time));
}

/** The time for which transfers of one block that are checked together share a read of its header. */
const SHARED_MS = 1_000;

/** Creates a function that shares reads of a block from one endpoint among all callers within a second. */
export function createSharedReads<T>() {
  const shared = new Map<string, { value: Promise<T>; at: number }>();
  return (single: Endpoints, block: string, read: () => Promise<T>): Promise<T> => {
    const now = single.now().getTime();
    for (const [key, { at }] of shared) if (now - at >= SHARED_MS) shared.delete(key);
    const key = `${single.all[0]?.name} ${block}`;
    const known = shared.get(key);
    if (known) return known.value;
    const value = read();
    shared.set(key, { value, at: now });
    value.catch(() => shared.delete(key));
    return value;
  };
}

/**
 * Checks a reported transfer that is not in the ledger. If the endpoints agree on a different block time, that time counts.
 * @param ruleFor returns the finality rule for a block of this time
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

/** Returns true if a transfer from the chain is exactly equal to the payment in the ledger. */
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
