import { newId } from "@/lib/domain/id";
import type { IntegrationId } from "@/lib/domain/integration-id";
import type { Integration } from "@/lib/domain/integrations/integration";
import type { Localized } from "@/lib/domain/integrations/texts";
import type { AppError } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import type { ApiContext } from "@/lib/http/api-route";
import type { Handler, Route } from "@/lib/http/listener";
import { type Reply, replyRoute } from "@/lib/http/reply";
import type { Visitors } from "@/lib/http/visitors";

/** The services of the web process that handle requests to integrations. */
export interface IntegrationContext {
  /** The context of merchants' requests. */
  api: ApiContext;
  /** The limits of requests without credentials. */
  visitors: Visitors;
  /**
   * Returns the page for a payer whose shop sent a request that failed. It does not show the reason, which is meant for the shop, but the
   * id of the request, by which the operator finds the reason in the log. After a temporary failure, the page of a GET request reloads.
   */
  refusalPage(call: ApiCall, failure: AppError, requestId: string): Promise<Reply>;
  /** Returns the language of the back office for a request. */
  officeLanguage(call: ApiCall): keyof Localized;
}

/** A request below the path of an integration. */
export interface IntegrationRequest {
  call: ApiCall;
  /** The path below the integration's path, without empty segments: "api/v1/orders". */
  path: string;
  requestId: string;
  now: Date;
}

/** A route of an integration. */
export interface IntegrationRoute {
  /** "*" stands for every method that no other route of the path has. */
  methods: readonly ("GET" | "POST" | "PUT" | "DELETE" | "*")[];
  /** The pattern below the path of the integration; `{path...}` matches every path, including the empty one. */
  path: string;
  answer(ctx: IntegrationContext, request: IntegrationRequest): Promise<Reply>;
}

/** An integration with its routes, as it is registered at the entry points. */
export interface RoutedIntegration extends Integration {
  /** The routes, served below `/` and the id. */
  routes: readonly IntegrationRoute[];
}

/** The integrations of a web process by their ids. */
export type RoutedIntegrations = ReadonlyMap<IntegrationId, RoutedIntegration>;

/**
 * Returns the routes of integrations, each below the path of its id. Every request is logged without its query, which may contain a key.
 */
export function integrationRoutes(integrations: RoutedIntegrations, contextOf: () => IntegrationContext): Route[] {
  return [...integrations.values()].flatMap(({ id, routes }) =>
    routes.flatMap((route) => {
      const handler = handlerOf(route, contextOf);
      return route.methods.map((method): Route => [method, `/${id}/${route.path}`, handler]);
    }),
  );
}

function handlerOf(route: IntegrationRoute, contextOf: () => IntegrationContext): Handler {
  const reply = replyRoute<object>(async (call) => {
    const ctx = contextOf();
    const now = ctx.api.now();
    const startedAt = performance.now();
    const requestId = newId(now);
    const path = call.target.split("?", 1)[0] ?? "";
    const segments = path.split("/").filter((segment) => segment !== "");
    const answer = await route.answer(ctx, { call, path: segments.slice(1).join("/"), requestId, now });
    const ms = Math.round(performance.now() - startedAt);
    ctx.api.requestLog.info({ requestId, method: call.method, path, status: answer.status, ms }, "request");
    return answer;
  });
  const handler = (request: Request) => reply(request, { params: Promise.resolve({}) });
  return Object.assign(handler, { answer: (call: ApiCall) => reply.answer(call, {}) });
}
