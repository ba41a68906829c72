import { answerPlugin, getContext } from "@/app/context";
import { leadBrowser } from "@/app/greenfield/[[...path]]/lead-browser";
import { authenticateGreenfield } from "@/lib/dialects/greenfield/authenticate";
import { storePermissions } from "@/lib/domain/dialects/greenfield";
import { newId } from "@/lib/domain/id";
import { AppError, type ErrorCode } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import { countFailure } from "@/lib/http/authenticate";
import { inWords } from "@/lib/http/in-words";
import { jsonReply, type Reply, replyRoute } from "@/lib/http/reply";

/** What clients compare with the version that they need. */
const SPOKEN_VERSION = "2.0.0";

/** Errors by the names that clients know. */
const NAMES: Readonly<Record<ErrorCode, string>> = {
  10001: "bad-request",
  10002: "unauthenticated",
  10003: "not-found",
  10004: "conflict",
  10005: "too-many-requests",
  10006: "unavailable",
  10099: "internal-error",
};

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
    const plugin = await answerPlugin(null, (cell) => authenticateGreenfield(cell, call, now));
    return jsonReply(200, show(plugin, path));
  } catch (error) {
    const failure = inWords(api, { requestId }, error);
    const { code, message, httpStatus, headers, retryAfterSeconds } =
      failure.code === 10002 ? await countFailure(api, call, failure, now) : failure;
    const wait = retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) };
    return jsonReply(httpStatus, { code: NAMES[code], message }, { ...headers, ...wait });
  }
}

/** @throws AppError 10003 of a store that is another's, in the same words as of one that nobody has */
function show({ publicId, permissions }: { publicId: string; permissions: string[] }, path: string): object {
  const parts = path.split("/").filter((part) => part !== "");
  const name = parts.slice(1).join("/");
  if (name === "api/v1/server/info")
    return { version: SPOKEN_VERSION, supportedPaymentMethods: [], fullySynched: true };
  if (name === "api/v1/api-keys/current") return { permissions: storePermissions(publicId, permissions) };
  if (name === `api/v1/stores/${publicId}`) return { id: publicId, name: publicId };
  const message = name.startsWith("api/v1/stores/")
    ? "There is no such store, or nothing at this path of it, for this token"
    : "There is nothing at this path";
  throw new AppError(10003, message);
}

export { answer as GET };
