import { getContext } from "@/app/context";
import { leadBrowser } from "@/app/greenfield/[[...path]]/lead-browser";
import { answerStore, requirePermission, type StoreCall, toStore } from "@/app/greenfield/[[...path]]/store-doors";
import { newId } from "@/lib/domain/id";
import { writeJson } from "@/lib/domain/orders/order-wire";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import type { ApiContext } from "@/lib/http/api-route";
import { countFailure } from "@/lib/http/authenticate";
import { inWords } from "@/lib/http/in-words";
import { httpStatusOf } from "@/lib/http/problem-status";
import { jsonReply, type Reply, replyRoute } from "@/lib/http/reply";
import { authenticateGreenfield } from "@/lib/integrations/greenfield/authenticate";
import { greenfieldFailure } from "@/lib/integrations/greenfield/failure";
import { storePermissions } from "@/lib/integrations/greenfield/permissions";

/** What clients compare with the version that they need. */
const SPOKEN_VERSION = "2.0.0";

/** The doors of BTCPay's Greenfield API, however many slashes lead to them. */
const answer = replyRoute<unknown>(async (call) => {
  const { api, now } = getContext();
  const at = now();
  const startedAt = performance.now();
  const requestId = newId(at);
  const path = call.target.split("?", 1)[0] ?? "";
  const led = leadBrowser(call);
  if (led) return led;
  const reply = await work(call, path, requestId, at);
  const ms = Math.round(performance.now() - startedAt);
  api.requestLog.info({ requestId, method: call.method, path, status: reply.status, ms }, "request");
  return reply;
});

async function work(call: ApiCall, path: string, requestId: string, now: Date): Promise<Reply> {
  const { api } = getContext();
  try {
    const plugin = await authenticateGreenfield(api, call, now);
    const body = writeJson(await show(api, { call, plugin, now }, path));
    return { ...jsonReply(200, {}), body };
  } catch (error) {
    const failure = inWords(api, { requestId }, error);
    const counted = failure.code === 10002 ? await countFailure(api, call, failure, now) : failure;
    const { headers, retryAfterSeconds } = counted;
    const wait = retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) };
    const { status, body } = greenfieldFailure(counted, httpStatusOf(counted));
    return jsonReply(status, body, { ...headers, ...wait });
  }
}

const STORE_PATH = /^api\/v1\/stores\/([^/]+)(?:\/(.*))?$/;

/** @throws AppError 10003 of a store that is another's, in the same words as of one that nobody has */
async function show(api: ApiContext, asked: StoreCall, path: string): Promise<object> {
  const { call, plugin } = asked;
  const parts = path.split("/").filter((part) => part !== "");
  const name = parts.slice(1).join("/");
  const [, storeId, rest = ""] = STORE_PATH.exec(name) ?? [];
  if (storeId === plugin.publicId) return answerStore(api, asked, rest);
  if (storeId !== undefined) throw new AppError(problem("store_not_found"), { data: NO_STORE });
  const answerTo = Object.hasOwn(DOORS, name) ? DOORS[name] : undefined;
  if (!answerTo) throw new AppError(problem("nothing_at_path"));
  if (call.method !== "GET")
    throw new AppError(problem("path_allows_only", { allowed: "GET" }), { headers: { allow: "GET" } });
  return answerTo(plugin);
}

const NO_STORE = { name: "store-not-found" };

const DOORS: Readonly<Record<string, (plugin: StoreCall["plugin"]) => object>> = {
  "api/v1/server/info": () => ({ version: SPOKEN_VERSION, supportedPaymentMethods: [], fullySynched: true }),
  "api/v1/api-keys/current": ({ publicId, permissions }) => ({ permissions: storePermissions(publicId, permissions) }),
  "api/v1/stores": (plugin) => {
    requirePermission(plugin, "btcpay.store.canviewstoresettings");
    return [toStore(plugin)];
  },
};

export { answer as DELETE, answer as GET, answer as POST, answer as PUT };
