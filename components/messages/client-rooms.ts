import type { Room } from "@/components/messages/translate";

/** Which rooms travel to the browser, by the part of the site that uses them there. */
export const CLIENT_ROOMS = {
  everywhere: ["ui", "failure"],
  auth: ["ui", "failure", "auth"],
  dashboard: [
    ...(["ui", "failure", "nav", "states", "filters", "resend", "passwordForm", "orderActions", "assign"] as const),
    ...(["live", "orders", "transfers", "callbacks", "newOrder", "goTo"] as const),
  ],
} as const satisfies Record<string, readonly Room[]>;
