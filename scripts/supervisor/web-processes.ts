import cluster, { type Worker as Child } from "node:cluster";
import { on, once } from "node:events";
import type { AggregatorRegistry, PrometheusContentType, Registry } from "prom-client";
import { BEAT_MS, watchForFreezes } from "@/scripts/supervisor/freeze-watch";

interface WebProcesses {
  count: number;
  print(text: string): void;
  /** Called once, when the first process listens. */
  onReady(): void;
  /** Called if the processes exited too many times. */
  release(why: string): void;
}

/** A message of a child process to its supervisor. */
type Reported = { kind: "alive" } | { kind: "ready"; url: string } | { kind: "numbers"; id: number };

/**
 * The limits after which a web process counts as frozen. No work of a web process takes this long; a new process listens within a second.
 */
const FREEZE_LIMITS = { maxSilentBeats: 8, maxStartBeats: 60 };
const STOP_MS = 19_000;
/** The time limit for collecting metrics, longer than the wait for one silent process. */
const GATHER_MS = 7_000;
const CALM_MS = 60_000;
const MAX_ENDS_EACH = 5;
const FIRST_PAUSE_MS = 500;

/**
 * Runs several web processes on one port and restarts each that exits or stops reporting. They accept connections from the shared socket
 * themselves, so that no connection is passed to a stopped process.
 */
export function superviseWeb({ count, print, onReady, release }: WebProcesses): { stop(): Promise<void> } {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const children = new Set<Child>();
  const freezes = watchForFreezes<Child>(FREEZE_LIMITS, (child, beats) => {
    print(`A web process (${child.process.pid}) has not responded for ${beats} s; it is stopped.`);
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
    child.on("message", (reported: Reported) => {
      freezes.recordHeartbeat(child);
      if (reported.kind === "numbers") void answerNumbers(child, reported.id);
      if (reported.kind !== "ready") return;
      print(`Stablegate is listening at ${reported.url} (web process ${child.process.pid}, one of ${count})`);
      if (!isReady) onReady();
      isReady = true;
    });
    child.once("exit", (code, signal) => {
      children.delete(child);
      freezes.remove(child);
      if (!isStopping) again(signal ? `was stopped by ${signal}` : `ended unexpectedly with code ${code}`);
    });
  }

  function again(how: string): void {
    ends = [...ends.filter((at) => performance.now() - at < CALM_MS), performance.now()];
    if (ends.length > MAX_ENDS_EACH * count) {
      release(`Web processes ended ${ends.length} times within a minute; the last one ${how}.`);
      return;
    }
    print(`A web process ${how}; starting another in its place.`);
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

/** Collects the metrics of all web processes. The module is loaded at the first request, so that unused metrics cost nothing. */
async function answerNumbers(child: Child, id: number): Promise<void> {
  registry ??= import("prom-client").then((library) => new library.AggregatorRegistry());
  const text = await (await registry).clusterMetrics().catch((error: unknown) => {
    process.stderr.write(`The metrics of all web processes could not be collected: ${String(error)}\n`);
    return null;
  });
  if (child.isConnected()) child.send({ kind: "numbers", id, text });
}

/** Returns, in a child process, a function that collects the metrics of all web processes on this port; undefined without a supervisor. */
export function gatherFromAll(): ((own: Registry) => Promise<string>) | undefined {
  if (!cluster.isWorker) return undefined;
  let asked = 0;
  return async (own) => {
    asked += 1;
    const id = asked;
    const answers = on(process, "message", { signal: AbortSignal.timeout(GATHER_MS) });
    process.send?.({ kind: "numbers", id } satisfies Reported);
    for await (const [answer] of answers)
      if (answer?.kind === "numbers" && answer.id === id && answer.text !== null) return answer.text;
    return own.metrics();
  };
}

/** Registers the metrics of a child process, so that the supervisor can collect them even if this process never served a request for them. */
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

/** Reports, in a child process, the URL that it listens on, and then regularly that it is alive. Does nothing without a supervisor. */
export function reportToSupervisor(url: string): void {
  if (!cluster.isWorker) return;
  // If this message cannot be sent, the supervisor has exited, and this process exits too.
  const notify = (reported: Reported) => process.send?.(reported, undefined, undefined, () => {});
  notify({ kind: "ready", url });
  setInterval(() => notify({ kind: "alive" }), BEAT_MS).unref();
}
