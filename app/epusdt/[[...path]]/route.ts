import { getContext } from "@/app/context";
import { newId } from "@/lib/domain/id";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import type { ApiContext } from "@/lib/http/api-route";
import { countFailure, networkOf, refuseAfterFailures } from "@/lib/http/authenticate";
import { inWords } from "@/lib/http/in-words";
import { jsonReply, replyRoute } from "@/lib/http/reply";
import { readEpusdtFields, textIn } from "@/lib/integrations/epusdt/fields";
import { epusdtEnvelope } from "@/lib/integrations/epusdt/order-answer";
import { cancelEpusdtOrder, createEpusdtOrder } from "@/lib/integrations/epusdt/orders";
import {
  checkEpusdtStatus,
  chooseEpusdtMethod,
  listEpusdtMethods,
  showEpusdtOrder,
} from "@/lib/integrations/epusdt/payer";
import type { Manner } from "@/lib/integrations/epusdt/read-order";
import type { EpusdtFields } from "@/lib/integrations/epusdt/signature";
import { createInTurn } from "@/lib/plugins/in-turn";

/** What a door that needs no signature costs, in views; a choice as much as one by the payment page. */
const LOOK_COST = 1;
const CHOICE_COST = 10;
const STATUS_PATH = "pay/check-status/";

const inTurn = createInTurn();

type Door = (call: ApiCall, now: Date) => Promise<object>;

const DOORS: Readonly<Record<string, Door>> = {
  "api/v1/order/create-transaction": create("transaction"),
  "payments/gmpay/v1/order/create-transaction": create("gmw"),
  "payments/epusdt/v1/order/create-transaction": create("gmw"),
  "api/v1/order/create-order": create("cashier"),
  "api/v1/order/cancel-transaction": signed(cancelEpusdtOrder),
  "api/v1/pay/info": forPayer((api, fields, now) => showEpusdtOrder(api, textIn(fields, "trade_id"), now)),
  "api/v1/pay/methods": forPayer(listEpusdtMethods),
  "api/v1/pay/update-order": forPayer(chooseEpusdtMethod, CHOICE_COST),
};

/** The doors of epusdt, however many slashes lead to them. Whatever comes of a request has HTTP 200: clients read it nowhere else. */
const answer = replyRoute<unknown>(async (call) => {
  const { api, now } = getContext();
  const at = now();
  const startedAt = performance.now();
  const requestId = newId(at);
  const path = call.target.split("?", 1)[0] ?? "";
  const reply = jsonReply(200, await work(call, path, requestId, at));
  const ms = Math.round(performance.now() - startedAt);
  api.requestLog.info({ requestId, method: call.method, path, status: reply.status, ms }, "request");
  return reply;
});

async function work(call: ApiCall, path: string, requestId: string, now: Date): Promise<object> {
  const name = path
    .replace(/\/+/g, "/")
    .replace(/^\/epusdt\/?/, "")
    .replace(/\/$/, "");
  try {
    if (name.startsWith(STATUS_PATH)) {
      const status = await checkStatus(call, name.slice(STATUS_PATH.length), now);
      // Clients of one kind read it within `data`, of the other beside it.
      return { ...epusdtEnvelope(status, requestId), ...status };
    }
    const door = Object.hasOwn(DOORS, name) ? DOORS[name] : undefined;
    if (!door) throw new AppError(problem("orders_at_other_path", { path: String(Object.keys(DOORS)[0]) }));
    if (call.method !== "POST") throw new AppError(problem("path_allows_only", { allowed: "POST" }));
    return epusdtEnvelope(await door(call, now), requestId);
  } catch (error) {
    const { api } = getContext();
    return epusdtEnvelope(inWords(api, { requestId }, error), requestId);
  }
}

function create(manner: Manner): Door {
  return signed((api, fields, now) => createEpusdtOrder(api, fields, manner, now));
}

function signed(answerTo: (api: ApiContext, fields: EpusdtFields, now: Date) => Promise<object>): Door {
  return async (call, now) => {
    const fields = await readEpusdtFields(call);
    const pid = textIn(fields, "pid");
    const { api } = getContext();
    const answer = () => countingFailures(call, now, () => answerTo(api, fields, now));
    if (pid !== "") return answer();
    // Without a pid the signature is compared with the keys of all shops: so the failures of an address are counted one by one, and
    // its next request is refused before that.
    return inTurn(networkOf(api, call), async () => {
      refuseAfterFailures(api, call, now);
      return answer();
    });
  };
}

async function countingFailures<T>(call: ApiCall, now: Date, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isRefusal = error instanceof AppError && error.code === 10002;
    throw isRefusal ? await countFailure(getContext().api, call, error, now) : error;
  }
}

function forPayer(
  answerTo: (api: ApiContext, fields: EpusdtFields, now: Date) => Promise<object>,
  cost = LOOK_COST,
): Door {
  return async (call, now) => {
    countView(call, now, cost);
    const fields = await readEpusdtFields(call);
    return answerTo(getContext().api, fields, now);
  };
}

function checkStatus(call: ApiCall, tradeId: string, now: Date): Promise<object> {
  countView(call, now, LOOK_COST);
  return checkEpusdtStatus(getContext().api, tradeId);
}

function countView(call: ApiCall, now: Date, cost: number): void {
  const wait = getContext().visitors.view(call, now, cost);
  if (wait > 0) throw new AppError(problem("too_many_views", { seconds: wait }));
}

export { answer as GET, answer as POST };
