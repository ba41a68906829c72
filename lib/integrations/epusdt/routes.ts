import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { networkOf, refuseAfterFailures } from "@/lib/http/authenticate";
import type { IntegrationContext, IntegrationRequest, IntegrationRoute } from "@/lib/http/integration-routes";
import { toPublicError } from "@/lib/http/public-error";
import { jsonReply, type Reply } from "@/lib/http/reply";
import { countingFailures } from "@/lib/integrations/epusdt/failures";
import { readEpusdtFields, readEpusdtQuery, textIn } from "@/lib/integrations/epusdt/fields";
import {
  cancelEpusdtOrder,
  createEpusdtOrder,
  queryGmpayOrder,
  showGmpayConfig,
} from "@/lib/integrations/epusdt/orders";
import {
  checkEpusdtStatus,
  chooseEpusdtMethod,
  listEpusdtMethods,
  showEpusdtOrder,
  showGmpayOrder,
  submitEpusdtTransaction,
  switchGmpayNetwork,
} from "@/lib/integrations/epusdt/payer";
import type { Manner } from "@/lib/integrations/epusdt/read-order";
import { type ErrorNumbers, epusdtEnvelope, toPayerFailure } from "@/lib/integrations/epusdt/result";
import type { EpusdtFields } from "@/lib/integrations/epusdt/signature";
import { submitEpay } from "@/lib/integrations/epusdt/submit";
import { createInTurn } from "@/lib/plugins/in-turn";

/** The costs of requests without a signature, in views; a choice costs as much as on the payment page. */
const LOOK_COST = 1;
const CHOICE_COST = 10;

const inTurn = createInTurn();

type EpusdtHandler = (ctx: IntegrationContext, request: IntegrationRequest, id: string) => Promise<object>;

/** A path with its only method, the numbers of its errors, and its readers: shops' servers, or payers' browsers as well. */
interface Endpoint {
  method: "GET" | "POST";
  numbers: ErrorNumbers;
  isForPayers: boolean;
  handle: EpusdtHandler;
}

const SUBMIT_PATH = "payments/epay/v1/order/create-transaction/submit.php";
const CREATE_PATH = "api/v1/order/create-transaction";

const forShops = (method: Endpoint["method"], numbers: ErrorNumbers, handle: EpusdtHandler): Endpoint => ({
  method,
  numbers,
  isForPayers: false,
  handle,
});
const forPayers = (
  method: Endpoint["method"],
  numbers: ErrorNumbers,
  handle: EpusdtHandler,
  cost = LOOK_COST,
): Endpoint => ({ method, numbers, isForPayers: true, handle: counted(handle, cost) });

/** The endpoints by path. A path that ends with a slash is followed by the id of an order. */
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  [CREATE_PATH]: forShops("POST", "original", create("transaction")),
  "api/v1/order/create-order": forShops("POST", "original", create("cashier")),
  "api/v1/order/cancel-transaction": forShops("POST", "original", signed(cancelEpusdtOrder)),
  "api/v1/pay/info": forPayers("POST", "original", withFields(showEpusdtOrder)),
  "api/v1/pay/methods": forPayers("POST", "original", withFields(listEpusdtMethods)),
  "api/v1/pay/update-order": forPayers("POST", "original", withFields(chooseEpusdtMethod), CHOICE_COST),
  "payments/gmpay/v1/order/create-transaction": forShops("POST", "gmpay", create("gmpay")),
  "payments/epusdt/v1/order/create-transaction": forShops("POST", "gmpay", create("gmpay")),
  "payments/gmpay/v1/order/query": forShops("GET", "gmpay", signed(queryGmpayOrder)),
  "payments/gmpay/v1/config": forPayers("GET", "gmpay", ({ api }, { call, now }) =>
    showGmpayConfig(api, readEpusdtQuery(call), now),
  ),
  "pay/check-status/": forPayers("GET", "gmpay", ({ api }, _request, id) => checkEpusdtStatus(api, id)),
  "pay/checkout-counter-resp/": forPayers("GET", "gmpay", ({ api }, { now }, id) => showGmpayOrder(api, id, now)),
  "pay/switch-network": forPayers("POST", "gmpay", withFields(switchGmpayNetwork), CHOICE_COST),
  "pay/submit-tx-hash/": forPayers("POST", "gmpay", submitTransaction, CHOICE_COST),
};

/** The pages of the originals' cashiers, to which some clients link by an order's id: those of epusdt and of BEpusdt. */
const CASHIER_PATH = /^(?:pay\/checkout-counter|cashier|pay\/checkout)\/([^/]+)$/;

/**
 * The paths of epusdt, with any number of slashes. Every response except a redirect has status 200, because clients read the result only in
 * such responses.
 */
export const epusdtRoutes: readonly IntegrationRoute[] = [{ methods: ["GET", "POST", "*"], path: "{path...}", answer }];

async function answer(ctx: IntegrationContext, request: IntegrationRequest): Promise<Reply> {
  const { call, path } = request;
  const isRead = call.method === "GET" || call.method === "HEAD";
  if (path === SUBMIT_PATH && (isRead || call.method === "POST")) return submitEpay(ctx, request);
  const [, tradeId] = CASHIER_PATH.exec(path) ?? [];
  if (tradeId !== undefined && isRead) return redirectTo(ctx, tradeId);
  const { endpoint, id } = findEndpoint(path);
  const numbers = endpoint?.numbers ?? (path.startsWith("pay") ? "gmpay" : "original");
  try {
    const result = await resultOf(ctx, request, endpoint, id);
    const envelope = epusdtEnvelope(result, request.requestId, numbers);
    // Some clients read the status of an order within `data`, others beside it.
    return jsonReply(200, endpoint === ENDPOINTS["pay/check-status/"] ? { ...envelope, ...result } : envelope);
  } catch (error) {
    const failure = toPublicError(ctx.api, request, error);
    const shown = endpoint?.isForPayers ? toPayerFailure(failure) : failure;
    return jsonReply(200, epusdtEnvelope(shown, request.requestId, numbers), failure.headers);
  }
}

function redirectTo({ api }: IntegrationContext, tradeId: string): Reply {
  const location = `${api.env.publicUrl}/pay/${encodeURIComponent(tradeId)}`;
  return { status: 302, headers: { location, "cache-control": "no-store" }, body: "" };
}

function findEndpoint(path: string): { endpoint: Endpoint | null; id: string } {
  const exact = Object.hasOwn(ENDPOINTS, path) ? ENDPOINTS[path] : undefined;
  if (exact && !path.endsWith("/")) return { endpoint: exact, id: "" };
  const start = path.slice(0, path.lastIndexOf("/") + 1);
  const endpoint = Object.hasOwn(ENDPOINTS, start) ? ENDPOINTS[start] : undefined;
  return { endpoint: endpoint ?? null, id: path.slice(start.length) };
}

async function resultOf(
  ctx: IntegrationContext,
  request: IntegrationRequest,
  endpoint: Endpoint | null,
  id: string,
): Promise<object> {
  const { method } = request.call;
  if (request.path === SUBMIT_PATH) throw new AppError(problem("path_allows_only", { allowed: "GET and POST" }));
  if (endpoint === null) {
    const isForPayers = request.path.startsWith("pay/") || request.path.startsWith("api/v1/pay/");
    throw new AppError(
      isForPayers ? problem("nothing_at_path") : problem("orders_at_other_path", { path: CREATE_PATH }),
    );
  }
  const isAllowed = method === endpoint.method || (method === "HEAD" && endpoint.method === "GET");
  if (!isAllowed) throw new AppError(problem("path_allows_only", { allowed: endpoint.method }));
  return endpoint.handle(ctx, request, id);
}

function create(manner: Manner): EpusdtHandler {
  return signed((api, fields, now) => createEpusdtOrder(api, fields, manner, now));
}

type FieldsHandler = (api: ApiContext, fields: EpusdtFields, now: Date) => Promise<object>;

function signed(answerTo: FieldsHandler): EpusdtHandler {
  return async ({ api }, { call, now }) => {
    const fields = call.method === "POST" ? await readEpusdtFields(call) : readEpusdtQuery(call);
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

function withFields(answerTo: FieldsHandler): EpusdtHandler {
  return async ({ api }, { call, now }) => answerTo(api, await readEpusdtFields(call), now);
}

async function submitTransaction({ api, visitors }: IntegrationContext, request: IntegrationRequest, tradeId: string) {
  const { call, now } = request;
  const text = textIn(await readEpusdtFields(call), "block_transaction_id");
  return submitEpusdtTransaction(api, { tradeId, text, from: visitors.countedAddress(call) }, now);
}

/** Counts a request of a payer, which has no signature, as views of the client's address. */
function counted(handle: EpusdtHandler, cost: number): EpusdtHandler {
  return async (ctx, request, id) => {
    const wait = ctx.visitors.view(request.call, request.now, cost);
    if (wait > 0) throw new AppError(problem("too_many_views", { seconds: wait }));
    return handle(ctx, request, id);
  };
}
