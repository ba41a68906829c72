import { type OpenApiDocument, type Operation, type Parameter, refTo } from "@/lib/domain/api/schema";
import { type CallbackType, OPT_IN_TYPES } from "@/lib/domain/callbacks/callback";
import { EXAMPLE_EVENT } from "@/lib/http/openapi/examples";

/** Everything that a merchant's server may be told of. */
export const EVENT_TYPES: readonly CallbackType[] = ["payment.confirmed", ...OPT_IN_TYPES];

const EVENT_WORDS: Readonly<Record<CallbackType, string>> = {
  "payment.confirmed": "A payment is confirmed",
  "payment.detected": "A payment was seen",
  "payment.underpaid": "Less arrived than was asked for",
  "payment.overpaid": "More arrived than was asked for",
  "payment.reversed": "The chain took a confirmed payment back",
  "order.expired": "An order expired",
  "order.cancelled": "An order was cancelled",
};

function webhook(type: CallbackType): Operation {
  const header = (name: string, description: string): Parameter => ({
    ...{ name, in: "header", required: true, description },
    schema: { type: "string" },
  });
  return {
    operationId: `told_${type.replace(".", "_")}`,
    summary: EVENT_WORDS[type],
    description:
      "Sent at least once, in no promised order: know it again by `id`. Answered with 200 it is done; anything else is tried again, 13 times within about four days; 410 ends it at once." +
      (type === "payment.confirmed" ? "" : " Sent where the API key that made the order asks for it."),
    tags: ["Events"],
    security: [],
    parameters: [
      header("webhook-id", "The event's id."),
      header("webhook-timestamp", "When this attempt was made, in Unix seconds."),
      header(
        "webhook-signature",
        "One or more signatures with a space between, by Standard Webhooks: `v1,` with the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{raw body}`. One that fits is enough.",
      ),
    ],
    requestBody: {
      required: true,
      content: { "application/json": { schema: refTo("Event"), example: { ...EXAMPLE_EVENT, type } } },
    },
    responses: {
      "200": { description: "Acknowledged." },
      "410": { description: "Not wanted: this event is not tried again." },
      default: { description: "Anything else is a failure, a redirect included: it is tried again." },
    },
  };
}

/** What is sent to a `notify_url`, by type of event. */
export const WEBHOOKS: OpenApiDocument["webhooks"] = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, { post: webhook(type) }]),
);
