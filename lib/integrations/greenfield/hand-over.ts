import { z } from "zod";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { open, seal } from "@/lib/merchants/vault";

/** A token on its way to the application that it was issued to. */
export interface HandOver {
  /** The URL to which the application wants the token. */
  redirect: string;
  apiKey: string;
  userId: string;
  permissions: readonly string[];
}

/** The path to which the browser posts the ticket. */
export const HAND_OVER_PATH = "/greenfield/hand-over";

const ROW = "greenfield:hand-over";
/** The longest time between the response with the ticket and the request with it. */
const LASTS_MS = 120_000;

const kept = z.object({
  redirect: z.url(),
  apiKey: z.string(),
  userId: z.string(),
  permissions: z.array(z.string()),
  until: z.number(),
});

/** Returns a ticket: the token that a user has just granted, encrypted, so that the browser can neither read nor change it. */
export function sealHandOver(appSecret: AppSecret, handOver: HandOver, now: Date): string {
  return seal(appSecret, ROW, JSON.stringify({ ...handOver, until: now.getTime() + LASTS_MS }));
}

/** Decrypts a ticket; null if this service did not make it, or its time is over. */
export function openHandOver(appSecret: AppSecret, ticket: string, now: Date): HandOver | null {
  try {
    const { until, ...handOver } = kept.parse(JSON.parse(open(appSecret, ROW, ticket)));
    return until > now.getTime() ? handOver : null;
  } catch {
    return null;
  }
}
