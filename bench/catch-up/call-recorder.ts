import * as z from "zod";
import { inTurns } from "@/lib/chains/endpoints/endpoints";

interface Post {
  url: string;
  body: string;
}

/** Calls during which at least one was always in flight, in the order in which they started. */
interface Wave {
  posts: Post[];
  /** The maximum number of calls in flight. */
  concurrency: number;
}

export interface Recorded {
  /** The number of calls by method. */
  counts: Map<string, number>;
  waves: Wave[];
}

const Call = z.object({ method: z.string() });

/** Returns the method of a call. JSON-RPC specifies it in the body, TRON's HTTP API in the URL. */
function methodOf({ url, body }: Post): string {
  return Call.safeParse(JSON.parse(body)).data?.method ?? new URL(url).pathname;
}

/** Runs `work` and records every call that this process posts to nodes in the meantime. */
export async function recordCalls<T>(work: () => Promise<T>): Promise<Recorded & { value: T }> {
  const plain = globalThis.fetch;
  const waves: Wave[] = [];
  let inFlight = 0;
  globalThis.fetch = async (url, init) => {
    if (inFlight === 0) waves.push({ posts: [], concurrency: 0 });
    inFlight += 1;
    const wave = waves.at(-1);
    wave?.posts.push({ url: String(url), body: String(init?.body) });
    if (wave) wave.concurrency = Math.max(wave.concurrency, inFlight);
    try {
      return await plain(url, init);
    } finally {
      inFlight -= 1;
    }
  };
  try {
    return { value: await work(), waves, counts: countByMethod(waves) };
  } finally {
    globalThis.fetch = plain;
  }
}

/**
 * Posts the same calls again with the same concurrency, and discards the responses.
 * @returns the duration in milliseconds
 */
export async function replay(waves: readonly Wave[]): Promise<number> {
  const startedAt = performance.now();
  for (const { posts, concurrency } of waves) await inTurns(posts, concurrency, post);
  return performance.now() - startedAt;
}

async function post({ url, body }: Post): Promise<void> {
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  await response.arrayBuffer();
}

function countByMethod(waves: readonly Wave[]): Map<string, number> {
  const methods = waves.flatMap(({ posts }) => posts).map(methodOf);
  return new Map([...Map.groupBy(methods, (method) => method)].map(([method, calls]) => [method, calls.length]));
}
