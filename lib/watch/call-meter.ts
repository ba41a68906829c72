import { type Budget, budgetState, type CallCount, dayOf } from "@/lib/domain/networks/budget";

/** A batch of calls that are not in the database yet. */
export interface CallBatch {
  network: string;
  endpoint: string;
  /** YYYY-MM-DD, UTC. */
  day: string;
  calls: number;
  errors: number;
}

/** A counter of the calls to the endpoints of one network, which tracks their remaining budgets. */
export interface CallMeter {
  /** Counts a call; resolves once the endpoint's calls per second allow it. */
  take(endpoint: string): Promise<void>;
  /** Counts a failed call; names of unknown endpoints are ignored. */
  noteError(endpoint: string): void;
  /** Returns the penalty of an endpoint in the order of calls: 0, or a value that ranks it behind all endpoints with calls left. */
  rank(endpoint: string): number;
  /** Returns true if every endpoint has used up its budget: the network is then read as rarely as possible. */
  isSpent(): boolean;
  /** Returns the counts since the last call. The caller must store the counts or pass them to `returnBatch`. */
  drain(): CallBatch[];
  returnBatch(batch: readonly CallBatch[]): void;
  /** Sets the counts of all processes, as just read from the database. */
  know(counts: readonly CallCount[]): void;
}

interface Options {
  network: string;
  /** The names of the endpoints, in order. */
  endpoints: readonly string[];
  /** The budget of each endpoint; missing ones are unlimited. */
  budgets: readonly Budget[];
  now: () => Date;
  wait?: (ms: number) => Promise<void>;
}

/** The counts of one endpoint. */
interface Line {
  endpoint: string;
  budget: Budget;
  counted: Pick<CallCount, "today" | "thisMonth">;
  /** The day of `counted`. */
  day: string;
  /** The time at which the next call may be sent, in milliseconds since the Unix epoch. */
  nextAt: number;
}

const SPENT = 1_000_000;
const BUSY = 9_000;

/** Creates a meter with counts of zero; `know` sets earlier counts. */
export function createCallMeter({ network, endpoints, budgets, now, wait = sleep }: Options): CallMeter {
  const fresh = { counted: { today: 0, thisMonth: 0 }, day: dayOf(now()), nextAt: 0 };
  const lines = new Map<string, Line>(
    endpoints.map((endpoint, index) => [endpoint, { ...fresh, endpoint, budget: budgets[index] ?? {} }]),
  );
  const pending = new Map<string, CallBatch>();
  const add = (endpoint: string, day: string, { calls = 0, errors = 0 }) => {
    const key = `${endpoint} ${day}`;
    const known = pending.get(key) ?? { network, endpoint, day, calls: 0, errors: 0 };
    pending.set(key, { ...known, calls: known.calls + calls, errors: known.errors + errors });
  };
  return {
    async take(endpoint) {
      const line = lines.get(endpoint);
      const ms = line ? turn(line, now()) : 0;
      if (ms > 0) await wait(ms);
      add(endpoint, dayOf(now()), { calls: 1 });
      if (line) line.counted = increased(line, now());
    },
    noteError: (endpoint) => lines.has(endpoint) && add(endpoint, dayOf(now()), { errors: 1 }),
    rank(endpoint) {
      const line = lines.get(endpoint);
      if (!line) return 0;
      return stateOf(line, now()) === "spent" ? SPENT : busy(line, now());
    },
    isSpent: () => lines.size > 0 && [...lines.values()].every((line) => stateOf(line, now()) === "spent"),
    drain() {
      const batch = [...pending.values()];
      pending.clear();
      return batch;
    },
    returnBatch(batch) {
      for (const { endpoint, day, ...counts } of batch) add(endpoint, day, counts);
    },
    know(counts) {
      for (const { network: of, endpoint, today, thisMonth } of counts) {
        const line = of === network ? lines.get(endpoint) : undefined;
        if (!line) continue;
        const more = [...pending.values()].filter((one) => one.endpoint === endpoint);
        const calls = more.reduce((sum, one) => sum + one.calls, 0);
        line.day = dayOf(now());
        line.counted = { today: today + calls, thisMonth: thisMonth + calls };
      }
    },
  };
}

/** Returns the milliseconds until a call may be sent, and reserves its time. */
function turn(line: Line, now: Date): number {
  const { perSecond } = line.budget;
  if (perSecond === undefined) return 0;
  const at = Math.max(now.getTime(), line.nextAt);
  line.nextAt = at + 1_000 / perSecond;
  return at - now.getTime();
}

function busy({ nextAt, budget }: Line, now: Date): number {
  const waits = budget.perSecond !== undefined && nextAt > now.getTime();
  return waits ? BUSY + (nextAt - now.getTime()) : 0;
}

/** Returns the counts of the current day and month; those of a new day or month begin at zero. */
function countedAt({ counted, day }: Line, now: Date): Line["counted"] {
  const today = dayOf(now);
  if (day === today) return counted;
  return { today: 0, thisMonth: day.slice(0, 7) === today.slice(0, 7) ? counted.thisMonth : 0 };
}

function increased(line: Line, now: Date): Line["counted"] {
  const { today, thisMonth } = countedAt(line, now);
  line.day = dayOf(now);
  return { today: today + 1, thisMonth: thisMonth + 1 };
}

function stateOf(line: Line, now: Date) {
  return budgetState(line.budget, countedAt(line, now));
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
