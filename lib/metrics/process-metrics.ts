import type { Gauge, Registry } from "prom-client";

/** The metrics of one process. */
export interface ProcessMetrics {
  registry: Registry;
  /**
   * Counts a completed response.
   * @param route the matched pattern, never a path
   * @param seconds null for a stream
   */
  answered(request: { method: string; route: string; status: number; seconds: number | null }): void;
  /** Counts a round of a worker's loop. */
  round(loop: string, seconds: number, isFailure: boolean): void;
  /** Counts an attempt at a callback. @param outcome the HTTP status, or a code for the reason why there was none */
  attempt(outcome: string, seconds: number): void;
  /** Counts an event of the sockets that announce a network's new blocks. */
  socket(network: string, event: string): void;
}

const ANSWER_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
const ROUND_BUCKETS = [0.01, 0.05, 0.25, 1, 5, 15, 60];

/**
 * Starts collecting metrics. Only this function loads the library, so a process without access to metrics has no cost.
 * @param openStreams returns the number of open event streams; null in a process without streams
 */
export async function createProcessMetrics(openStreams: (() => number) | null): Promise<ProcessMetrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import("prom-client");
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "stablegate_http_requests_total",
    help: "Requests answered, by route pattern",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const answers = new Histogram({
    name: "stablegate_http_request_duration_seconds",
    help: "Time until a response was sent; event streams are excluded",
    labelNames: ["method", "route"],
    buckets: ANSWER_BUCKETS,
    registers,
  });
  const rounds = new Histogram({
    name: "stablegate_round_duration_seconds",
    help: "Duration of one round of a worker loop",
    labelNames: ["loop"],
    buckets: ROUND_BUCKETS,
    registers,
  });
  const failures = new Counter({
    name: "stablegate_round_failures_total",
    help: "Failed rounds of a worker loop",
    labelNames: ["loop"],
    registers,
  });
  const attempts = new Histogram({
    name: "stablegate_callback_attempt_duration_seconds",
    help: "Duration of a callback attempt, by HTTP status or error",
    labelNames: ["outcome"],
    buckets: ANSWER_BUCKETS,
    registers,
  });
  const sockets = new Counter({
    name: "stablegate_head_socket_events_total",
    help: "Events of the WebSockets that announce new blocks, by kind",
    labelNames: ["network", "event"],
    registers,
  });
  if (openStreams) registerOpenStreams(Gauge, registers, openStreams);
  return {
    registry,
    answered({ method, route, status, seconds }) {
      requests.inc({ method, route, status });
      if (seconds !== null) answers.observe({ method, route }, seconds);
    },
    round(loop, seconds, isFailure) {
      rounds.observe({ loop }, seconds);
      if (isFailure) failures.inc({ loop });
    },
    attempt: (outcome, seconds) => attempts.observe({ outcome }, seconds),
    socket: (network, event) => sockets.inc({ network, event }),
  };
}

function registerOpenStreams(MetricType: typeof Gauge, registers: Registry[], openStreams: () => number): void {
  new MetricType({
    name: "stablegate_open_streams",
    help: "Event streams that are open",
    registers,
    collect() {
      this.set(openStreams());
    },
  });
}
