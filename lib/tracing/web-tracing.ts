import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { SpanContext } from "@opentelemetry/api";
import { kindOfRequest } from "@/lib/metrics/web-metrics";
import type { CreateContext } from "@/lib/orders/create-order";
import { currentScope, newScope, statementsOf, traceOfLine, watchStatement, within } from "@/lib/tracing/scope";
import { type Facts, nowMs, type Spans } from "@/lib/tracing/spans";

type InsertOrder = NonNullable<CreateContext["insertOrder"]>;

/** The tracing of a web process. docs/operating.md lists all spans. */
export interface WebTracing {
  /** Traces each request in its own span, except health checks, metrics and files. */
  requests(listener: RequestListener): RequestListener;
  /** Records the matched route of the current request. */
  found(route: string | null, incoming: IncomingMessage, outgoing: ServerResponse): void;
  /**
   * Wraps the creation of orders. An order starts its own trace; its root span and that of the request link to each
   * other.
   */
  making(insert: InsertOrder): InsertOrder;
  /** Records the order of the current request. */
  noteOrder(tradeId: string): void;
  traceOfLine: typeof traceOfLine;
  watchStatement: typeof watchStatement;
}

export const TRADE_ID = "stablegate.trade_id";
const MERCHANTS = "/api/v1/";
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;
const LEFT_OUT = /^\/(?:_next\/|api\/health\b|api\/metrics\b)/;

export function createWebTracing(spans: Spans): WebTracing {
  return {
    requests: (listener) => (incoming, outgoing) => {
      if (LEFT_OUT.test(incoming.url ?? "")) listener(incoming, outgoing);
      else traceRequest(spans, listener, incoming, outgoing);
    },
    found(route, incoming) {
      const { method, named } = kindOfRequest(route, incoming);
      const span = currentScope()?.span;
      span?.rename(`${method} ${named}`);
      span?.note({ "http.route": named });
    },
    making: (insert) => async (order, now) => {
      const startedAt = nowMs();
      const made = await insert(order, now);
      if (made === null || "code" in made) return made;
      const request = currentScope()?.span;
      const as = spans.ofOrder(order.id);
      request?.link(as);
      const { id, network, currency } = order;
      const facts = { [TRADE_ID]: id, "stablegate.network": network, "stablegate.currency": currency };
      spans.begin({ name: "create order", as, links: request ? [request.spanContext] : [], startedAt, facts }).end();
      return made;
    },
    noteOrder: (tradeId) => currentScope()?.span.note({ [TRADE_ID]: tradeId }),
    traceOfLine,
    watchStatement,
  };
}

function traceRequest(
  spans: Spans,
  listener: RequestListener,
  incoming: IncomingMessage,
  outgoing: ServerResponse<IncomingMessage>,
): void {
  const startedAt = nowMs();
  const { method } = kindOfRequest(null, incoming);
  const facts: Facts = { "http.request.method": method };
  const span = spans.begin({ name: method, kind: "server", links: callerOf(incoming), startedAt, facts });
  const scope = newScope(span, startedAt);
  outgoing.once("close", () => {
    scope.isOver = true;
    const { statusCode: status } = outgoing;
    span.note({
      "http.response.status_code": status,
      "stablegate.request_id": String(outgoing.getHeader("X-Request-Id")),
      ...statementsOf(scope),
    });
    const isCut = !outgoing.writableFinished;
    span.end({ error: status >= 500 ? String(status) : isCut ? "closed early" : null });
  });
  within(scope, () => listener(incoming, outgoing));
}

/**
 * Returns the trace of a shop that calls the merchants' API. The span of the request links to it and does not continue it. Otherwise a
 * client could add spans to another client's trace, or decide which spans are kept.
 */
function callerOf({ url = "", headers }: IncomingMessage): SpanContext[] {
  const given = url.startsWith(MERCHANTS) ? headers["traceparent"] : undefined;
  const [, traceId = "", spanId = ""] = (typeof given === "string" && TRACEPARENT.exec(given)) || [];
  const isNone = /^0*$/.test(traceId) || /^0*$/.test(spanId);
  return isNone ? [] : [{ traceId, spanId, traceFlags: 0, isRemote: true }];
}
