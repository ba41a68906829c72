import { z } from "zod";

interface Post {
  url: string;
  body: string;
}

/** Calls that were in flight at the same time, in the order in which they started. */
type Wave = Post[];

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
    if (inFlight === 0) waves.push([]);
    waves.at(-1)?.push({ url: String(url), body: String(init?.body) });
    inFlight += 1;
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
  for (const wave of waves) await Promise.all(wave.map(post));
  return performance.now() - startedAt;
}

async function post({ url, body }: Post): Promise<void> {
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  await response.arrayBuffer();
}

function countByMethod(waves: readonly Wave[]): Map<string, number> {
  const methods = waves.flat().map(methodOf);
  return new Map([...Map.groupBy(methods, (method) => method)].map(([method, calls]) => [method, calls.length]));
}
