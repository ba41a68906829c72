import type { ApiCall } from "@/lib/http/api-call";
import type { ApiContext } from "@/lib/http/api-route";
import { keyOf } from "@/lib/http/authenticate";

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
