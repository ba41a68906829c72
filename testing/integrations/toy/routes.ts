import { problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import { parseJsonObject } from "@/lib/http/api-call";
import type { IntegrationContext, IntegrationRequest, IntegrationRoute } from "@/lib/http/integration-routes";
import { httpStatusOf } from "@/lib/http/problem-status";
import { toPublicError } from "@/lib/http/public-error";
import { jsonReply, type Reply } from "@/lib/http/reply";
import { isEqual } from "@/lib/merchants/vault";
import type { CheckoutRequest } from "@/lib/orders/create-checkout";
import { makeIntegrationOrder } from "@/lib/plugins/make-order";
import { authenticatePlugin } from "@/lib/plugins/plugin-caller";
import { signToy } from "@/testing/integrations/toy/signature";

export const toyRoutes: readonly IntegrationRoute[] = [{ methods: ["POST"], path: "orders", answer: createOrder }];

/** Creates the order of a signed request. */
async function createOrder({ api }: IntegrationContext, request: IntegrationRequest): Promise<Reply> {
  const { call, requestId, now } = request;
  try {
    const body = new TextDecoder().decode(await call.readBody());
    const fields = parseJsonObject(new TextEncoder().encode(body));
    const signature = call.header("x-toy-signature") ?? "";
    const shop = { integration: "toy", publicId: textOf(fields["shop"], "shop") };
    const { plugin } = await authenticatePlugin(api, shop, (key) => isEqual(signature, signToy(body, key)), now);
    const toy = textOf(fields["toy"], "toy");
    const order: CheckoutRequest & { integration: string } = {
      mchOrderId: textOf(fields["number"], "number"),
      checkout: { network: "bsc", currency: "USDT", amount: textOf(fields["amount"], "amount"), price: null },
      notifyUrl: textOf(fields["notify"], "notify"),
      redirectUrl: textOf(fields["back"], "back"),
      locale: null,
      subject: toy,
      metadata: null,
      expiresInSeconds: null,
      integration: "toy",
      echo: { toy },
    };
    const asked = { request: order, compare: () => [], otherTerms: null };
    const made = await makeIntegrationOrder(api, plugin, asked, now);
    const greeting = plugin.settings["greets"] === true ? { greeting: "Hello" } : {};
    return jsonReply(200, { ...greeting, order: made.order.id, page: `${api.env.publicUrl}/pay/${made.order.id}` });
  } catch (error) {
    const failure = toPublicError(api, { requestId }, error);
    return jsonReply(httpStatusOf(failure), { error: failure.message });
  }
}

function textOf(given: unknown, name: string): string {
  if (typeof given === "string" && given !== "") return given;
  throw given === undefined
    ? invalidField(name, problem("value_is_missing"))
    : new AppError(problem("value_malformed", { name }));
}
