import { AsyncLocalStorage } from "node:async_hooks";
import { nowMs, type Span } from "@/lib/tracing/spans";

/** A call of an endpoint; it becomes a span when the work around it is told. */
export interface EndedCall {
  method: string;
  endpoint: string;
  startedAt: number;
  endedAt: number;
  error: string | null;
}

/** A piece of work that is under way, and what is counted of it. */
export interface Scope {
  readonly span: Span;
  readonly startedAt: number;
  statements: number;
  statementsMs: number;
  calls: number;
  /** The first of them. */
  readonly toldCalls: EndedCall[];
  /** Somebody was told of it: a line names it, or an order moved. */
  isTold: boolean;
  /** What goes on after it belongs to it no more. */
  isOver: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();
const nothing = () => {};

export function newScope(span: Span, startedAt: number): Scope {
  return { span, startedAt, statements: 0, statementsMs: 0, calls: 0, toldCalls: [], isTold: false, isOver: false };
}

/** Whatever `work` begins belongs to `scope`. */
export function within<T>(scope: Scope, work: () => T): T {
  return scopes.run(scope, work);
}

/** The work that this belongs to, while it is under way; null: none that is told. */
export function currentScope(): Scope | null {
  const scope = scopes.getStore();
  return scope && !scope.isOver ? scope : null;
}

/** For lines: by which trace the work that leaves them is found. */
export function traceOfLine(): { traceId: string } | undefined {
  const scope = currentScope();
  if (!scope?.span.isKept) return undefined;
  scope.isTold = true;
  return { traceId: scope.span.place.traceId };
}

/** A statement leaves; what this returns is called when it is over. Statements for several requests at once count for the first. */
export function watchStatement(): () => void {
  const scope = currentScope();
  if (!scope) return nothing;
  const startedAt = nowMs();
  return () => {
    scope.statements += 1;
    scope.statementsMs += nowMs() - startedAt;
  };
}

/** @returns what a span says of its statements */
export function statementsOf({ statements, statementsMs }: Scope) {
  return {
    "stablegate.db.statements": statements,
    // Those that ran beside each other count each.
    "stablegate.db.ms": Math.round(statementsMs * 10) / 10,
  };
}
