import { type OpenApiDocument, type Operation, type Parameter, refTo } from "@/lib/domain/api/open-api";
import type { CallbackType } from "@/lib/domain/callbacks/callback";
import { OPT_IN_TYPES } from "@/lib/domain/keys/key-rules";
import { EXAMPLE_EVENT } from "@/lib/http/openapi/examples";

/** All events that a merchant's server can receive. */
export const EVENT_TYPES: readonly CallbackType[] = ["payment.confirmed", ...OPT_IN_TYPES];

/** An event as the document describes it. */
export interface DocumentedEvent {
  summary: string;
  /** The kind of object that the API key created. An opt-in event is sent only if this key opted in to it. */
  created: string;
  /** An example of the body. */
  example: object;
}

const EVENT_SUMMARIES = {
  "payment.confirmed": "A payment is final",
  "payment.detected": "A payment was detected and is not final yet",
  "payment.underpaid": "Less than the order amount was received",
  "payment.overpaid": "More than the order amount was received",
  "payment.reversed": "A payment was reversed by a reorg or unlinked by a user",
  "payment.claimed": "The payer entered a transaction, which is not verified",
  "order.expired": "An order expired without a payment",
  "order.cancelled": "An order was cancelled",
} as const satisfies Partial<Record<CallbackType, string>>;

/** The order events. */
export const ORDER_EVENTS = Object.fromEntries(
  Object.entries(EVENT_SUMMARIES).map(([type, summary]) => [
    type,
    { summary, created: "order", example: { ...EXAMPLE_EVENT, type } },
  ]),
) as Record<keyof typeof EVENT_SUMMARIES, DocumentedEvent>;

const V2 = "Public-key signature in the format of the hosted service:";
const SIGNATURE_HEADERS: Readonly<Record<string, string>> = {
  "webhook-id": "The id of the event, the same in every attempt.",
  "webhook-timestamp": "Time of this attempt, in Unix seconds.",
  "webhook-signature":
    "Standard Webhooks signatures, separated by spaces: `v1,` with the base64 of HMAC-SHA256 under your secret, and `v1a,` with the base64 of the Ed25519 signature of this installation. Both cover `{webhook-id}.{webhook-timestamp}.{raw body}`. One valid signature is sufficient.",
  "X-Timestamp": "Equal to `webhook-timestamp`.",
  "X-Nonce": "32 alphanumeric characters, different for every attempt.",
  "X-Key-Prefix": "The first 12 characters of the API key.",
  "X-Signature":
    "Plugin v1 signature: lower-case hex of HMAC-SHA256 over `{timestamp}\\n{nonce}\\n{raw body}`. The key is the lower-case hex SHA-256 of the API key.",
  "X-Webhook-Signature-Version": `${V2} \`v2\`.`,
  "X-Webhook-Key-Id": `${V2} the \`kid\` of the public key.`,
  "X-Webhook-Merchant-Id": `${V2} your merchant id.`,
  "X-Webhook-Environment": `${V2} \`production\`, or \`sandbox\`.`,
  "X-Webhook-Signature-V2": `${V2} unpadded base64url of the Ed25519 signature over the lines \`polypay-webhook-v2\`, key id, timestamp, nonce, merchant id, environment and raw body.`,
};
const HEADERS: readonly Parameter[] = Object.entries(SIGNATURE_HEADERS).map(([name, description]) => ({
  name,
  in: "header",
  description,
  schema: { type: "string" },
  // The headers of the installation's key are absent if that key cannot be decrypted.
  required: !name.startsWith("X-Webhook-"),
}));

function webhook(type: CallbackType, { summary, created, example }: DocumentedEvent): Operation {
  return {
    operationId: type.replace(/\.(.)/, (_dot, email: string) => email.toUpperCase()),
    summary,
    description:
      "Each event is delivered at least once, and the order of arrival is not guaranteed. Identify an event by `id`. Respond with 200 to acknowledge it. After any other status, the delivery is retried, with 13 attempts within about three days; 410 stops the retries." +
      (type === "payment.confirmed"
        ? ""
        : ` Sent if this event is selected for the API key that created the ${created}.`),
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
      "410": { description: "The event is not delivered again." },
      default: { description: "Any other status, including a redirect, is a failure, and the delivery is retried." },
    },
  };
}

/** Returns the requests to a `notify_url`, by type of event. */
export function webhooksOf(events: Readonly<Record<CallbackType, DocumentedEvent>>): OpenApiDocument["webhooks"] {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: webhook(type, events[type]) }]));
}
