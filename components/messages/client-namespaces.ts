import type { MessageNamespace } from "@/components/messages/translate";

/** The message namespaces that are sent to the browser, by the part of the site that uses them. */
export const CLIENT_NAMESPACES = {
  everywhere: ["ui", "failure"],
  auth: ["ui", "failure", "auth", "factors", "invite", "newShop"],
  dashboard: [
    ...(["ui", "failure", "nav", "states", "filters", "resend", "passwordForm", "factors", "orderActions"] as const),
    ...([
      "assign",
      "unlink",
      "live",
      "orders",
      "transfers",
      "callbacks",
      "goTo",
      "notifications",
      "security",
      "team",
      "orderTerms",
      "apiKeys",
      "plugins",
      "addresses",
      "payWays",
      "stepForms",
      "receivers",
      "prices",
      "checkout",
      "refunds",
      "refundPages",
      "linkPages",
      "readBalances",
      "closing",
    ] as const),
  ],
} as const satisfies Record<string, readonly MessageNamespace[]>;
