import { getContext } from "@/app/context";
import { chooseLanguage } from "@/components/pay/messages/languages";
import { refusedPage } from "@/components/pay/page/document";
import { newId } from "@/lib/domain/id";
import type { AppError } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import { countFailure } from "@/lib/http/authenticate";
import { inWords } from "@/lib/http/in-words";
import { httpStatusOf } from "@/lib/http/problem-status";
import { jsonReply, type Reply, replyRoute } from "@/lib/http/reply";
import { refusal, TOO_MANY_VIEWS } from "@/lib/http/visitors";
import { answerEpayQuery } from "@/lib/integrations/epay/answer-query";
import { createEpayOrder, epayCode } from "@/lib/integrations/epay/create-epay-order";
import { readEpayRequest } from "@/lib/integrations/epay/fields";

/** What an order by a payer's browser costs, in views. */
const CREATE_COST = 10;
const DOORS: Readonly<Record<string, (call: ApiCall, now: Date) => Promise<Reply>>> = {
  "submit.php": submit,
  "mapi.php": create,
  "api.php": query,
};

/** The three doors of EPay V1, however many slashes lead to them. */
const answer = replyRoute<unknown>(async (call) => {
  const { api, now } = getContext();
  const at = now();
  const startedAt = performance.now();
  const path = call.target.split("?", 1)[0] ?? "";
  const name = path
    .replace(/\/+/g, "/")
    .replace(/^\/epay\/?/, "")
    .replace(/\/$/, "");
  const door = Object.hasOwn(DOORS, name) ? DOORS[name] : undefined;
  const reply = door
    ? await door(call, at)
    : jsonReply(404, { code: -1, msg: "There is submit.php, mapi.php and api.php under this address" });
  const ms = Math.round(performance.now() - startedAt);
  // Never the query: it may carry the key.
  api.requestLog.info({ requestId: newId(at), method: call.method, path, status: reply.status, ms }, "request");
  return reply;
});

/** A payer's browser comes from the shop, and goes on to the payment page. */
async function submit(call: ApiCall, now: Date): Promise<Reply> {
  const { visitors, pages, env } = getContext();
  const wait = visitors.view(call, now, CREATE_COST);
  if (wait > 0) return { status: 429, headers: refusal(TOO_MANY_VIEWS, wait).headers, body: `${TOO_MANY_VIEWS}\n` };
  try {
    const order = await makeOrder(call, now);
    const headers = { location: `${env.publicUrl}/pay/${order.id}`, "cache-control": "no-store" };
    return { status: 302, headers, body: "" };
  } catch (error) {
    const failure = await toFailure(call, error, now);
    const t = chooseLanguage({ chosen: null, locale: null, accepted: call.header("accept-language") }, []);
    const headers = { "content-language": t.lang, vary: "accept-encoding, accept-language" };
    return pages.answer(call, null, () => refusedPage(t, failure.message), { status: httpStatusOf(failure), headers });
  }
}

/** A shop's server asks for an order and leads its payer there itself. */
function create(call: ApiCall, now: Date): Promise<Reply> {
  const { env } = getContext();
  return inJson(call, now, async () => {
    const order = await makeOrder(call, now);
    return { code: 1, trade_no: order.id, payurl: `${env.publicUrl}/pay/${order.id}` };
  });
}

function query(call: ApiCall, now: Date): Promise<Reply> {
  return inJson(call, now, async () => {
    const request = await readEpayRequest(call);
    return answerEpayQuery(getContext().api, request, now);
  });
}

async function makeOrder(call: ApiCall, now: Date) {
  const request = await readEpayRequest(call);
  return createEpayOrder(getContext().api, request, now);
}

/** Errors of this protocol are answers with status 200: clients read their words nowhere else. */
async function inJson(call: ApiCall, now: Date, work: () => Promise<object>): Promise<Reply> {
  try {
    return jsonReply(200, await work());
  } catch (error) {
    const failure = await toFailure(call, error, now);
    return jsonReply(200, { code: epayCode(failure), msg: failure.message });
  }
}

async function toFailure(call: ApiCall, error: unknown, now: Date): Promise<AppError> {
  const { api } = getContext();
  const failure = inWords(api, { requestId: newId(now) }, error);
  return failure.code === 10002 ? countFailure(api, call, failure, now) : failure;
}

export { answer as GET, answer as POST };
