import { z } from "zod";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { open, seal } from "@/lib/merchants/vault";

/** A token on its way to the application that it was given to. */
export interface HandOver {
  /** Where the application waits for it. */
  redirect: string;
  apiKey: string;
  userId: string;
  permissions: readonly string[];
}

/** The path to which the browser posts the ticket. */
export const HAND_OVER_PATH = "/greenfield/hand-over";

const ROW = "greenfield:hand-over";
/** As long as a browser may take from one answer to the next request. */
const LASTS_MS = 120_000;

const kept = z.object({
  redirect: z.url(),
  apiKey: z.string(),
  userId: z.string(),
  permissions: z.array(z.string()),
  until: z.number(),
});

/** Seals what a person has just allowed, so that their browser carries it to the next page and can neither read nor change it. */
export function sealHandOver(appSecret: AppSecret, handOver: HandOver, now: Date): string {
  return seal(appSecret, ROW, JSON.stringify({ ...handOver, until: now.getTime() + LASTS_MS }));
}

/** Opens it again; null where it was not sealed here, or its time is over. */
export function openHandOver(appSecret: AppSecret, ticket: string, now: Date): HandOver | null {
  try {
    const { until, ...handOver } = kept.parse(JSON.parse(open(appSecret, ROW, ticket)));
    return until > now.getTime() ? handOver : null;
  } catch {
    return null;
  }
}
