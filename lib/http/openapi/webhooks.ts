import { type OpenApiDocument, type Operation, type Parameter, refTo } from "@/lib/domain/api/open-api";
import type { CallbackType } from "@/lib/domain/callbacks/callback";
import { OPT_IN_TYPES } from "@/lib/domain/keys/key-rules";
import { EXAMPLE_EVENT } from "@/lib/http/openapi/examples";

/** All events that a merchant's server can receive. */
export const EVENT_TYPES: readonly CallbackType[] = ["payment.confirmed", ...OPT_IN_TYPES];

/** An event as the document describes it. */
export interface DocumentedEvent {
  summary: string;
  /** The kind of object whose API key decides by its opt-ins whether the event is sent. */
  created: string;
  /** An example of the body. */
  example: object;
}

const EVENT_WORDS = {
  "payment.confirmed": "A payment is confirmed",
  "payment.detected": "A payment was seen",
  "payment.underpaid": "Less arrived than was asked for",
  "payment.overpaid": "More arrived than was asked for",
  "payment.reversed": "The chain took a confirmed payment back",
  "order.expired": "An order expired",
  "order.cancelled": "An order was cancelled",
} as const satisfies Partial<Record<CallbackType, string>>;

/** The events of orders. */
export const ORDER_EVENTS = Object.fromEntries(
  Object.entries(EVENT_WORDS).map(([type, summary]) => [
    type,
    { summary, created: "order", example: { ...EXAMPLE_EVENT, type } },
  ]),
) as Record<keyof typeof EVENT_WORDS, DocumentedEvent>;

const V2 = "The signature by public key in the form of the hosted service:";
const SIGNATURE_HEADERS: Readonly<Record<string, string>> = {
  "webhook-id": "The event's id.",
  "webhook-timestamp": "When this attempt was made, in Unix seconds.",
  "webhook-signature":
    "Signatures with a space between, by Standard Webhooks: `v1,` with the base64 of HMAC-SHA256 by a secret of yours, `v1a,` with that of Ed25519 by the installation's key, each over `{webhook-id}.{webhook-timestamp}.{raw body}`. One that fits is enough.",
  "X-Timestamp": "The same as `webhook-timestamp`.",
  "X-Nonce": "32 letters and digits, new at every attempt.",
  "X-Key-Prefix": "The first 12 characters of the API key.",
  "X-Signature":
    "Lower-case hex of HMAC-SHA256 over timestamp, nonce and raw body with line feeds between, by the lower-case hex of SHA-256 of the API key.",
  "X-Webhook-Signature-Version": `${V2} \`v2\`.`,
  "X-Webhook-Key-Id": `${V2} the \`kid\` of the key.`,
  "X-Webhook-Merchant-Id": `${V2} your merchant id.`,
  "X-Webhook-Environment": `${V2} \`production\`, or \`sandbox\`.`,
  "X-Webhook-Signature-V2": `${V2} unpadded base64url of Ed25519; docs/callbacks.md says over what.`,
};
const HEADERS: readonly Parameter[] = Object.entries(SIGNATURE_HEADERS).map(([name, description]) => ({
  name,
  in: "header",
  description,
  schema: { type: "string" },
  // Those of the installation's key are missing where that key cannot be opened.
  required: !name.startsWith("X-Webhook-"),
}));

function webhook(type: CallbackType, { summary, created, example }: DocumentedEvent): Operation {
  return {
    operationId: `told_${type.replace(".", "_")}`,
    summary,
    description:
      "Sent at least once, in no promised order: know it again by `id`. Answered with 200 it is done; anything else is tried again, 13 times within about four days; 410 ends it at once." +
      (type === "payment.confirmed" ? "" : ` Sent where the API key that made the ${created} asks for it.`),
    tags: ["Events"],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: refTo("Event"),
          example,
        },
      },
    },
    responses: {
      "200": { description: "Acknowledged." },
      "410": { description: "Not wanted: this event is not tried again." },
      default: { description: "Anything else is a failure, a redirect included: it is tried again." },
    },
  };
}

/** Returns what is sent to a `notify_url`, by type of event. */
export function webhooksOf(events: Readonly<Record<CallbackType, DocumentedEvent>>): OpenApiDocument["webhooks"] {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: webhook(type, events[type]) }]));
}
