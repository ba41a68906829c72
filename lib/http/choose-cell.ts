import { AppError } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import type { ApiContext } from "@/lib/http/api-route";
import { keyOf } from "@/lib/http/authenticate";
import { httpStatusOf } from "@/lib/http/problem-status";

/** Far more than the keys that a process sees between two starts; all are asked for anew where there are more. */
const MOST_KNOWN = 100_000;

/**
 * Finds the cell of a request by its key. All cells are asked at once when a process sees a key for the first time, and the first
 * that knows it is it: one whose database is away holds up nobody else's merchants. A key never moves, so that it is asked once.
 * @param cells of the process, at least one
 * @returns a function that answers the cell; where none knows the key one whose own answer says why: a cell that could not be asked,
 * before one that could
 */
export function chooseByKey(cells: readonly ApiContext[]): (call: ApiCall) => ApiContext | Promise<ApiContext> {
  const known = new Map<string, ApiContext>();
  return (call) => {
    const text = keyOf(call);
    return known.get(text) ?? ask(cells, text, known);
  };
}

async function ask(cells: readonly ApiContext[], text: string, known: Map<string, ApiContext>): Promise<ApiContext> {
  const away: ApiContext[] = [];
  const answers = cells.map(async (cell) => {
    const key = await cell.keyRing.find(text, cell.now()).catch(() => void away.push(cell));
    if (!key) throw new Error("Another cell's, or nobody's");
    return cell;
  });
  try {
    const found = await Promise.any(answers);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, found);
    return found;
  } catch {
    const [first] = cells;
    if (!first) throw new Error("There is no cell");
    return away[0] ?? first;
  }
}

/** Answers what another protocol's client asks, in the cell whose plugin it proves to be. */
export type AnswerAnywhere = <T>(name: string | null, answer: (cell: ApiContext) => Promise<T>) => Promise<T>;

/**
 * Finds the cell of a plugin by having each of them answer, all at once: who asks is proved first of all, so that a cell of which they
 * are not refuses (10002) before anything is done. Where a plugin was found once it is asked first from then on.
 * @param cells of the process, at least one
 * @returns a function that gives the answer of the one cell, or throws what that says; of a caller whom no cell knows what says most: that
 * the protocol is switched off, that a cell could not be asked, that nobody has this key
 */
export function answerByProof(cells: readonly ApiContext[]): AnswerAnywhere {
  const known = new Map<string, ApiContext>();
  return async (name, answer) => {
    const before = name === null ? undefined : known.get(name);
    if (before) {
      const one = await outcomeOf(before, answer);
      if (one.kind === "done") return one.value;
      if (!isRefusal(one.error) || isVerdict(one.error)) throw one.error;
    }
    const rest = cells.filter((cell) => cell !== before);
    const { value, cell } = await firstDecided(rest, answer);
    if (name !== null) {
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(name, cell);
    }
    return value;
  };
}

type Outcome<T> = { kind: "done"; value: T; cell: ApiContext } | { kind: "failed"; error: unknown };

async function outcomeOf<T>(cell: ApiContext, answer: (cell: ApiContext) => Promise<T>): Promise<Outcome<T>> {
  try {
    return { kind: "done", value: await answer(cell), cell };
  } catch (error) {
    return { kind: "failed", error };
  }
}

const isRefusal = (error: unknown) => error instanceof AppError && error.code === 10002;
/** Of a cell that knows who asks: it says what is wrong with the question. */
const isVerdict = (error: unknown) =>
  error instanceof AppError &&
  ((error.code !== 10002 && httpStatusOf(error) < 500) || error.problem.code === "integration_off");

/** The first cell that answers, or that refuses what is asked and not who asks: one that is away or slow holds up no other. */
async function firstDecided<T>(cells: readonly ApiContext[], answer: (cell: ApiContext) => Promise<T>) {
  const asked = cells.map((cell) => outcomeOf(cell, answer));
  const decided = asked.map(async (one) => {
    const outcome = await one;
    if (outcome.kind === "done" || isVerdict(outcome.error)) return outcome;
    throw outcome.error;
  });
  const first = await Promise.any(decided).catch(() => null);
  if (first?.kind === "done") return first;
  if (first) throw first.error;
  const errors = (await Promise.all(asked)).map((one) => (one.kind === "failed" ? one.error : null));
  throw errors.find((error) => !isRefusal(error)) ?? errors[0];
}
