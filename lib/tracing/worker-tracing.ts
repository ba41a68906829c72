import type { Outcome, SenderContext } from "@/lib/callbacks/callback-sender";
import type { WatchCall } from "@/lib/chains/endpoints/endpoint-call";
import { ChainError } from "@/lib/chains/endpoints/source";
import type { StoryContext } from "@/lib/orders/move-order";
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

/** How a worker tells of its work, where somebody follows it; docs/operating.md names every span. */
export interface WorkerTracing {
  /** One round of a loop. It is told where it did something: moved orders, left a line, or failed. */
  round(name: string, network: string | null, run: () => Promise<number>): Promise<number>;
  /** Calls of endpoints, which are told with their round. */
  watchCall: WatchCall;
  /** What became of orders, each in its order's trace. */
  onOrders: NonNullable<StoryContext["onOrders"]>;
  /** Attempts at callbacks, each in its order's trace; lines that `note` leaves name that. */
  attempts(note: OnAttempt): OnAttempt;
  traceOfLine: typeof traceOfLine;
  watchStatement: typeof watchStatement;
}

const MOST_CALLS = 100;
/** Thousands expire together. */
const MOST_ORDERS = 100;

export function createWorkerTracing(spans: Spans): WorkerTracing {
  return {
    async round(name, network, run) {
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
        if (scope.isTold || error !== null) endRound(spans, scope, error);
      }
    },
    watchCall: async (endpoint, method, call) => {
      const scope = currentScope();
      if (!scope) return call();
      const startedAt = nowMs();
      const tell = (error: string | null) => {
        scope.calls += 1;
        if (scope.toldCalls.length < MOST_CALLS)
          scope.toldCalls.push({ method, endpoint, startedAt, endedAt: nowMs(), error });
      };
      try {
        const answer = await call();
        tell(null);
        return answer;
      } catch (cause) {
        tell(nameOf(cause));
        throw cause;
      }
    },
    onOrders(what, orders) {
      const scope = currentScope();
      if (!scope || orders.length === 0) return;
      scope.isTold = true;
      for (const { id, before, status } of orders.slice(0, MOST_ORDERS)) {
        const facts = { [TRADE_ID]: id, "stablegate.status_before": before, "stablegate.status": status };
        const { startedAt } = scope;
        spans.begin({ name: what, parent: spans.ofOrder(id), links: [scope.span.place], startedAt, facts }).end();
      }
    },
    attempts: (note) => (outcome, claim) => {
      const endedAt = nowMs();
      const startedAt = endedAt - (outcome.kind === "unsigned" ? 0 : outcome.durationMs);
      const parent = spans.ofOrder(claim.target.id);
      const { id, seriesAttempts } = claim;
      const about = {
        [TRADE_ID]: claim.target.id,
        "stablegate.callback_id": id,
        "stablegate.attempt": seriesAttempts + 1,
      };
      const facts = { ...about, ...factsOf(outcome) };
      const span = spans.begin({ name: "callback attempt", kind: "client", parent, startedAt, facts });
      const scope = newScope(span, startedAt);
      within(scope, () => note(outcome, claim));
      scope.isOver = true;
      const isRefused = outcome.kind === "answered" && outcome.httpStatus >= 400;
      const error = outcome.kind !== "answered" ? outcome.kind : isRefused ? String(outcome.httpStatus) : null;
      span.end({ at: endedAt, error });
    },
    traceOfLine,
    watchStatement,
  };
}

function endRound(spans: Spans, scope: Scope, error: string | null): void {
  const { span, calls, toldCalls } = scope;
  for (const { method, endpoint, startedAt, endedAt, error: failed } of toldCalls) {
    const facts = { "rpc.method": method, "server.address": endpoint };
    spans
      .begin({ name: method, kind: "client", parent: span.place, startedAt, facts })
      .end({ at: endedAt, error: failed });
  }
  span.note({ ...statementsOf(scope), "stablegate.rpc.calls": calls });
  span.end({ error });
}

/** How long each stage of an attempt took; neither address nor body nor answer. */
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

/** What went wrong, in one word: a message may hold what nobody should read. */
function nameOf(error: unknown): string {
  if (error instanceof ChainError) return error.kind;
  return error instanceof Error ? error.name : "error";
}
