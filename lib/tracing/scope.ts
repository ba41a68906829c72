import { AsyncLocalStorage } from "node:async_hooks";
import { nowMs, type Span } from "@/lib/tracing/spans";

/** A completed call of an endpoint. It becomes a span if the span of the surrounding work is kept. */
export interface EndedCall {
  method: string;
  endpoint: string;
  startedAt: number;
  endedAt: number;
  error: string | null;
}

/** Work in progress, with its span and counters. */
export interface Scope {
  readonly span: Span;
  readonly startedAt: number;
  statements: number;
  statementsMs: number;
  calls: number;
  /** The first calls; later ones are only counted. */
  readonly recordedCalls: EndedCall[];
  /** True if the span must be kept, because a log line contains its trace id or an order was updated. */
  isReported: boolean;
  /** True once the work is complete. Later activity is not part of the scope. */
  isOver: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();
const nothing = () => {};

export function newScope(span: Span, startedAt: number): Scope {
  return {
    span,
    startedAt,
    statements: 0,
    statementsMs: 0,
    calls: 0,
    recordedCalls: [],
    isReported: false,
    isOver: false,
  };
}

/** Runs `work` in a scope. Everything that it starts belongs to the scope. */
export function within<T>(scope: Scope, work: () => T): T {
  return scopes.run(scope, work);
}

/** Returns the scope of the current work; null if there is none or the work is complete. */
export function currentScope(): Scope | null {
  const scope = scopes.getStore();
  return scope && !scope.isOver ? scope : null;
}

/** Returns the trace id for a log line of the current work; undefined if its span is not kept. */
export function traceOfLine(): { traceId: string } | undefined {
  const scope = currentScope();
  if (!scope?.span.isKept) return undefined;
  scope.isReported = true;
  return { traceId: scope.span.spanContext.traceId };
}

/**
 * Records that a statement is sent. Returns a function to call when it is complete. A statement for several requests counts for the first
 * of them.
 */
export function watchStatement(): () => void {
  const scope = currentScope();
  if (!scope) return nothing;
  const startedAt = nowMs();
  return () => {
    scope.statements += 1;
    scope.statementsMs += nowMs() - startedAt;
  };
}

/**
 * Converts the statement counters of a scope to span attributes.
 * @returns the attributes for its statements
 */
export function statementsOf({ statements, statementsMs }: Scope) {
  return {
    "stablegate.db.statements": statements,
    // Times of concurrent statements are added up.
    "stablegate.db.ms": Math.round(statementsMs * 10) / 10,
  };
}
