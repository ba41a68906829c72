import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { countFailure, networkOf, refuseAfterFailures } from "@/lib/http/authenticate";
import type { IntegrationContext, IntegrationRequest, IntegrationRoute } from "@/lib/http/integration-routes";
import { toPublicError } from "@/lib/http/public-error";
import { jsonReply, type Reply } from "@/lib/http/reply";
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

/** The costs of requests without a signature, in views; a choice costs as much as on the payment page. */
const LOOK_COST = 1;
const CHOICE_COST = 10;
const STATUS_PATH = "pay/check-status/";

const inTurn = createInTurn();

type EpusdtHandler = (ctx: IntegrationContext, request: IntegrationRequest) => Promise<object>;

const HANDLERS: Readonly<Record<string, EpusdtHandler>> = {
  "api/v1/order/create-transaction": create("transaction"),
  "payments/gmpay/v1/order/create-transaction": create("gmw"),
  "payments/epusdt/v1/order/create-transaction": create("gmw"),
  "api/v1/order/create-order": create("cashier"),
  "api/v1/order/cancel-transaction": signed(cancelEpusdtOrder),
  "api/v1/pay/info": forPayer((api, fields, now) => showEpusdtOrder(api, textIn(fields, "trade_id"), now)),
  "api/v1/pay/methods": forPayer(listEpusdtMethods),
  "api/v1/pay/update-order": forPayer(chooseEpusdtMethod, CHOICE_COST),
};

/**
 * The paths of epusdt, with any number of slashes. Every response has status 200, because clients read the result only in such responses.
 */
export const epusdtRoutes: readonly IntegrationRoute[] = [{ methods: ["GET", "POST"], path: "{path...}", answer }];

async function answer(ctx: IntegrationContext, request: IntegrationRequest): Promise<Reply> {
  return jsonReply(200, await resultOf(ctx, request));
}

async function resultOf(ctx: IntegrationContext, request: IntegrationRequest): Promise<object> {
  const { call, path, requestId } = request;
  try {
    if (path.startsWith(STATUS_PATH)) {
      const status = await checkStatus(ctx, request, path.slice(STATUS_PATH.length));
      // Some clients read the status within `data`, others beside it.
      return { ...epusdtEnvelope(status, requestId), ...status };
    }
    const handler = Object.hasOwn(HANDLERS, path) ? HANDLERS[path] : undefined;
    if (!handler) throw new AppError(problem("orders_at_other_path", { path: String(Object.keys(HANDLERS)[0]) }));
    if (call.method !== "POST") throw new AppError(problem("path_allows_only", { allowed: "POST" }));
    return epusdtEnvelope(await handler(ctx, request), requestId);
  } catch (error) {
    return epusdtEnvelope(toPublicError(ctx.api, { requestId }, error), requestId);
  }
}

function create(manner: Manner): EpusdtHandler {
  return signed((api, fields, now) => createEpusdtOrder(api, fields, manner, now));
}

function signed(answerTo: (api: ApiContext, fields: EpusdtFields, now: Date) => Promise<object>): EpusdtHandler {
  return async ({ api }, { call, now }) => {
    const fields = await readEpusdtFields(call);
    const pid = textIn(fields, "pid");
    const work = () => countingFailures(api, call, now, () => answerTo(api, fields, now));
    if (pid !== "") return work();
    // Without a pid the signature is compared with the keys of all shops. Therefore the failures of an address are counted one after
    // another, and its next request is refused before that comparison.
    return inTurn(networkOf(api, call), async () => {
      refuseAfterFailures(api, call, now);
      return work();
    });
  };
}

async function countingFailures<T>(
  api: ApiContext,
  call: IntegrationRequest["call"],
  now: Date,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isRefusal = error instanceof AppError && error.code === 10002;
    throw isRefusal ? await countFailure(api, call, error, now) : error;
  }
}

function forPayer(
  answerTo: (api: ApiContext, fields: EpusdtFields, now: Date) => Promise<object>,
  cost = LOOK_COST,
): EpusdtHandler {
  return async (ctx, request) => {
    countView(ctx, request, cost);
    return answerTo(ctx.api, await readEpusdtFields(request.call), request.now);
  };
}

async function checkStatus(ctx: IntegrationContext, request: IntegrationRequest, tradeId: string): Promise<object> {
  countView(ctx, request, LOOK_COST);
  return checkEpusdtStatus(ctx.api, tradeId);
}

function countView({ visitors }: IntegrationContext, { call, now }: IntegrationRequest, cost: number): void {
  const wait = visitors.view(call, now, cost);
  if (wait > 0) throw new AppError(problem("too_many_views", { seconds: wait }));
}
