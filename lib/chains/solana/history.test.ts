import { describe, expect, test } from "vitest";
import type { Ask } from "@/lib/chains/endpoints/endpoint-call";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import type { RpcCall } from "@/lib/chains/endpoints/rpc";
import { ChainError } from "@/lib/chains/endpoints/source";
import { readHistory } from "@/lib/chains/solana/history";

const ACCOUNT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const signatureOf = (number: number) => String(number).padStart(87, "z").replaceAll("0", "A");

interface Entry {
  signature: string;
  slot: number;
  err: unknown;
}
interface Asked {
  limit: number;
  before?: string;
  minContextSlot: number;
  commitment: string;
}

/** Returns a history with a transaction in every slot, newest first as nodes list them. */
const entries = (count: number): Entry[] =>
  Array.from({ length: count }, (_, index) => ({
    signature: signatureOf(count - index),
    slot: count - index,
    err: null,
  }));

/** Creates a node with a history and its faults. */
function nodeOf(
  history: readonly Entry[],
  { firstSlot = 0, hasSlot = () => true, change = (page: Entry[]) => page }: Partial<NodeFaults> = {},
) {
  const asked: Asked[] = [];
  const answer = async ({ method, params }: RpcCall): Promise<unknown> => {
    if (method === "getFirstAvailableBlock") return firstSlot;
    if (method === "getSignatureStatuses") {
      const [[signature = ""] = []] = params as [string[]];
      return { value: [hasSlot(signature) ? { slot: 1 } : null] };
    }
    const [, options] = params as [string, Asked];
    asked.push(options);
    const start =
      options.before === undefined ? 0 : history.findIndex(({ signature }) => signature === options.before) + 1;
    return change(history.slice(start, start + options.limit), asked.length);
  };
  return { answer, asked };
}
interface NodeFaults {
  firstSlot: number;
  hasSlot: (signature: string) => boolean;
  change: (page: Entry[], call: number) => Entry[];
}

/** Creates endpoints that query these nodes one after another. */
function endpointsOf(...nodes: ReturnType<typeof nodeOf>[]): Endpoints {
  const ask = async <T>(request: Ask<T>): Promise<T> => {
    let failure: unknown;
    for (const { answer } of nodes) {
      try {
        await request.before?.(answer, {} as never);
        return request.parse(await answer(request), {} as never);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  };
  return { ask } as Partial<Endpoints> as Endpoints;
}

const read = (after: number, head: number, ...nodes: ReturnType<typeof nodeOf>[]) =>
  readHistory(endpointsOf(...nodes), ACCOUNT, { after, head, blockMs: 400 });
const slots = (found: readonly Entry[] | Awaited<ReturnType<typeof readHistory>>) => found.map(({ slot }) => slot);
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe("the history of an account", () => {
  test("is everything above a slot, oldest first, asked of a node that has seen the head", async () => {
    const node = nodeOf(entries(30));
    expect(slots(await read(25, 40, node))).toEqual(range(26, 30));
    expect(node.asked).toEqual([{ commitment: "confirmed", minContextSlot: 40, limit: 20 }]);
  });

  test("continues over pages until the slot is reached", async () => {
    const node = nodeOf(entries(3_000));
    expect(slots(await read(500, 3_000, node))).toEqual(range(501, 3_000));
    expect(node.asked.map(({ limit }) => limit)).toEqual([20, 1_000, 1_000, 1_000]);
  });

  test("continues to the account's beginning if that comes first", async () => {
    expect(slots(await read(0, 2_500, nodeOf(entries(2_500))))).toEqual(range(1, 2_500));
    expect(await read(0, 10, nodeOf([]))).toEqual([]);
  });

  test("omits failed transactions, but not earlier ones", async () => {
    const history = entries(60).map((entry) => ({ ...entry, err: entry.slot % 2 ? { InstructionError: [] } : null }));
    expect(slots(await read(0, 60, nodeOf(history)))).toEqual(range(1, 60).filter((slot) => slot % 2 === 0));
  });

  test("counts an entry once when pages repeat, and skips older entries", async () => {
    const change = (page: Entry[], call: number) => (call > 1 ? [...entries(90).slice(0, 5), ...page] : page);
    expect(slots(await read(10, 90, nodeOf(entries(90), { change })))).toEqual(range(11, 90));
  });

  test("keeps the order within a slot", async () => {
    const [third, second, first] = entries(3).map((entry) => ({ ...entry, slot: 7 }));
    if (!third || !second || !first) throw new Error("unreachable");
    const found = await read(0, 10, nodeOf([third, second, first]));
    expect(found.map(({ signature }) => signature)).toEqual([first, second, third].map(({ signature }) => signature));
  });

  test("is not read from a node whose history starts too late", async () => {
    const pruned = nodeOf(entries(9_000).slice(0, 10), { firstSlot: 8_991 });
    await expect(read(100, 9_000, pruned)).rejects.toMatchObject({ kind: "inconsistent" });
    expect(pruned.asked).toEqual([]);
    expect(await read(100, 9_000, pruned, nodeOf(entries(9_000)))).toHaveLength(8_900);
    expect(await read(8_995, 9_000, pruned)).toHaveLength(5);
    expect(await read(100, 9_000, nodeOf(entries(9_000), { firstSlot: 101 }))).toHaveLength(8_900);
  });

  test("is not continued by a node that does not know where the last page ended", async () => {
    const ignorant = nodeOf([], { hasSlot: () => false });
    const first = nodeOf(entries(100), { hasSlot: () => false });
    await expect(read(0, 100, first, ignorant)).rejects.toBeInstanceOf(ChainError);
    expect(slots(await read(0, 100, first, nodeOf(entries(100))))).toEqual(range(1, 100));
  });
});
