import cluster, { type Worker as Child } from "node:cluster";
import { on, once } from "node:events";
import type { AggregatorRegistry, PrometheusContentType, Registry } from "prom-client";
import { BEAT_MS, watchForFreezes } from "@/scripts/supervisor/freeze-watch";

interface WebProcesses {
  count: number;
  say(text: string): void;
  /** Is called once, when the first of them listens. */
  onReady(): void;
  /** They ended too often by themselves. */
  giveUp(why: string): void;
}

/** What a child tells of itself. */
type Told = { kind: "alive" } | { kind: "ready"; url: string } | { kind: "numbers"; id: number };

/** No work of a web process takes so long; a new one listens within the second. */
const FREEZE_LIMITS = { maxSilentBeats: 8, maxStartBeats: 60 };
const STOP_MS = 19_000;
/** Longer than one process that is silent is waited for. */
const GATHER_MS = 7_000;
const CALM_MS = 60_000;
const MAX_ENDS_EACH = 5;
const FIRST_PAUSE_MS = 500;

/**
 * Runs as many web processes as are wanted on one port, and begins each anew that ends by itself or falls silent. They take
 * connections from the one socket by themselves, so that nothing is handed to one that is stopped.
 */
export function superviseWeb({ count, say, onReady, giveUp }: WebProcesses): { stop(): Promise<void> } {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const children = new Set<Child>();
  const freezes = watchForFreezes<Child>(FREEZE_LIMITS, (child, beats) => {
    say(`A web process (${child.process.pid}) has not answered for ${beats} s; it is ended.`);
    child.process.kill("SIGKILL");
  });
  let ends: number[] = [];
  let isStopping = false;
  let isReady = false;

  function begin(): void {
    if (isStopping) return;
    const child = cluster.fork();
    children.add(child);
    freezes.add(child);
    child.on("message", (told: Told) => {
      freezes.heard(child);
      if (told.kind === "numbers") void answerNumbers(child, told.id);
      if (told.kind !== "ready") return;
      say(`Stablegate listens at ${told.url} (web process ${child.process.pid}, one of ${count})`);
      if (!isReady) onReady();
      isReady = true;
    });
    child.once("exit", (code, signal) => {
      children.delete(child);
      freezes.remove(child);
      if (!isStopping) again(signal ? `was ended by ${signal}` : `ended by itself with code ${code}`);
    });
  }

  function again(how: string): void {
    ends = [...ends.filter((at) => performance.now() - at < CALM_MS), performance.now()];
    if (ends.length > MAX_ENDS_EACH * count) {
      giveUp(`Web processes ended ${ends.length} times within a minute; the last one ${how}.`);
      return;
    }
    say(`A web process ${how}; starting another in its place.`);
    setTimeout(begin, FIRST_PAUSE_MS * 2 ** Math.floor((ends.length - 1) / count));
  }

  for (let number = 0; number < count; number++) begin();

  return {
    async stop() {
      isStopping = true;
      freezes.stop();
      await Promise.all([...children].map(end));
    },
  };
}

let registry: Promise<AggregatorRegistry<PrometheusContentType>> | null = null;

/** Asks all web processes for their numbers. Loaded with the first question: numbers that nobody reads cost nothing. */
async function answerNumbers(child: Child, id: number): Promise<void> {
  registry ??= import("prom-client").then((library) => new library.AggregatorRegistry());
  const text = await (await registry).clusterMetrics().catch((error: unknown) => {
    process.stderr.write(`The numbers of all web processes were not gathered: ${String(error)}\n`);
    return null;
  });
  if (child.isConnected()) child.send({ kind: "numbers", id, text });
}

/** In a child: the numbers of all web processes on this port, by way of their supervisor; undefined where nobody supervises. */
export function gatherFromAll(): ((own: Registry) => Promise<string>) | undefined {
  if (!cluster.isWorker) return undefined;
  let asked = 0;
  return async (own) => {
    asked += 1;
    const id = asked;
    const answers = on(process, "message", { signal: AbortSignal.timeout(GATHER_MS) });
    process.send?.({ kind: "numbers", id } satisfies Told);
    for await (const [answer] of answers)
      if (answer?.kind === "numbers" && answer.id === id && answer.text !== null) return answer.text;
    return own.metrics();
  };
}

/** In a child, before anybody asks: the supervisor finds the numbers of every process, also of one that was never asked itself. */
export async function offerNumbers(own: Registry): Promise<void> {
  if (!cluster.isWorker) return;
  const { AggregatorRegistry } = await import("prom-client");
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries([own]);
}

async function end(child: Child): Promise<void> {
  const force = setTimeout(() => child.process.kill("SIGKILL"), STOP_MS);
  const ended = once(child, "exit");
  child.process.kill("SIGTERM");
  await ended;
  clearTimeout(force);
}

/** In a child: says where it listens, and from then on that it is well. Nothing where nobody supervises. */
export function tellSupervisor(url: string): void {
  if (!cluster.isWorker) return;
  // Whoever supervised is gone when this cannot be sent; the end comes by itself then.
  const tell = (told: Told) => process.send?.(told, undefined, undefined, () => {});
  tell({ kind: "ready", url });
  setInterval(() => tell({ kind: "alive" }), BEAT_MS).unref();
}
