import type { Outcome, SenderContext } from "@/lib/callbacks/callback-sender";
import type { WatchCall } from "@/lib/chains/endpoints/endpoint-call";
import { ChainError } from "@/lib/chains/endpoints/source";
import type { OrderContext } from "@/lib/orders/move-order";
import {
  currentScope,
  newScope,
  type Scope,
  statementsOf,
  traceOfLine,
  watchStatement,
  within,
} from "@/lib/tracing/scope";
import { nowMs, type Spans } from "@/lib/tracing/spans";
import { TRADE_ID } from "@/lib/tracing/web-tracing";

type OnAttempt = NonNullable<SenderContext["onAttempt"]>;
type OnOrders = NonNullable<OrderContext["onOrders"]>;

/** The tracing of a worker process. docs/operating.md lists all spans. */
export interface WorkerTracing {
  /** Runs one round of a loop. Its span is kept only if the round updated orders, wrote a log line, or failed. */
  round(name: string, network: string | null, run: () => Promise<number>): Promise<number>;
  /** Records calls of endpoints; their spans are part of their round's trace. */
  watchCall: WatchCall;
  /** Adds a span for each updated order to the order's trace. */
  onOrders: OnOrders;
  /** Adds a span for each attempt at a callback to its order's trace. Log lines that `note` writes contain the id of that trace. */
  attempts(note: OnAttempt): OnAttempt;
  traceOfLine: typeof traceOfLine;
  watchStatement: typeof watchStatement;
}

const MAX_CALLS = 100;
/** The maximum number of updated orders per round that get a span each. Thousands of orders may expire together. */
const MAX_ORDERS = 100;

export function createWorkerTracing(spans: Spans): WorkerTracing {
  return {
    round: (name, network, run) => traceRound(spans, { name, network, run }),
    watchCall: traceCall,
    onOrders: (action, orders) => traceOrders(spans, action, orders),
    attempts: (note) => (outcome, claim) => traceAttempt(spans, { note, outcome, claim }),
    traceOfLine,
    watchStatement,
  };
}

interface Round {
  name: string;
  network: string | null;
  run: () => Promise<number>;
}

async function traceRound(spans: Spans, { name, network, run }: Round): Promise<number> {
  const startedAt = nowMs();
  const scope = newScope(spans.begin({ name, startedAt, facts: { "stablegate.network": network } }), startedAt);
  let error: string | null = null;
  try {
    return await within(scope, run);
  } catch (cause) {
    error = nameOf(cause);
    throw cause;
  } finally {
    scope.isOver = true;
    if (scope.isReported || error !== null) endRound(spans, scope, error);
  }
}

const traceCall: WatchCall = async (endpoint, method, call) => {
  const scope = currentScope();
  if (!scope) return call();
  const startedAt = nowMs();
  const record = (error: string | null) => {
    scope.calls += 1;
    if (scope.recordedCalls.length < MAX_CALLS)
      scope.recordedCalls.push({ method, endpoint, startedAt, endedAt: nowMs(), error });
  };
  try {
    const response = await call();
    record(null);
    return response;
  } catch (cause) {
    record(nameOf(cause));
    throw cause;
  }
};

function traceOrders(spans: Spans, action: string, orders: Parameters<OnOrders>[1]): void {
  const scope = currentScope();
  if (!scope || orders.length === 0) return;
  scope.isReported = true;
  for (const { id, before, status } of orders.slice(0, MAX_ORDERS)) {
    const facts = { [TRADE_ID]: id, "stablegate.status_before": before, "stablegate.status": status };
    const { startedAt } = scope;
    spans.begin({ name: action, parent: spans.ofOrder(id), links: [scope.span.spanContext], startedAt, facts }).end();
  }
}

interface Attempt {
  note: OnAttempt;
  outcome: Outcome;
  claim: Parameters<OnAttempt>[1];
}

function traceAttempt(spans: Spans, { note, outcome, claim }: Attempt): void {
  const endedAt = nowMs();
  const startedAt = endedAt - (outcome.kind === "unsigned" ? 0 : outcome.durationMs);
  const parent = spans.ofOrder(claim.target.id);
  const facts = {
    [TRADE_ID]: claim.target.id,
    "stablegate.callback_id": claim.id,
    "stablegate.attempt": claim.seriesAttempts + 1,
    ...factsOf(outcome),
  };
  const span = spans.begin({ name: "callback attempt", kind: "client", parent, startedAt, facts });
  const scope = newScope(span, startedAt);
  within(scope, () => note(outcome, claim));
  scope.isOver = true;
  const isRefused = outcome.kind === "answered" && outcome.httpStatus >= 400;
  const error = outcome.kind !== "answered" ? outcome.kind : isRefused ? String(outcome.httpStatus) : null;
  span.end({ at: endedAt, error });
}

function endRound(spans: Spans, scope: Scope, error: string | null): void {
  const { span, calls, recordedCalls } = scope;
  for (const { method, endpoint, startedAt, endedAt, error: failed } of recordedCalls) {
    const facts = { "rpc.method": method, "server.address": endpoint };
    spans
      .begin({ name: method, kind: "client", parent: span.spanContext, startedAt, facts })
      .end({ at: endedAt, error: failed });
  }
  span.note({ ...statementsOf(scope), "stablegate.rpc.calls": calls });
  span.end({ error });
}

/** Returns the duration of each stage of an attempt, without the address, body or response. */
function factsOf(outcome: Outcome) {
  if (outcome.kind === "unsigned") return {};
  const { dnsMs, connectMs, tlsMs, firstByteMs } = outcome.times;
  return {
    "http.response.status_code": outcome.kind === "answered" ? outcome.httpStatus : null,
    "stablegate.dns_ms": dnsMs,
    "stablegate.connect_ms": connectMs,
    "stablegate.tls_ms": tlsMs,
    "stablegate.first_byte_ms": firstByteMs,
  };
}

/** Returns a name for an error. Its message may contain secrets. */
function nameOf(error: unknown): string {
  if (error instanceof ChainError) return error.kind;
  return error instanceof Error ? error.name : "error";
}
