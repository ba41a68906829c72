import * as z from "zod";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { encrypt, open } from "@/lib/merchants/vault";

/** A token to be delivered to the application that it was issued to. */
export interface ConnectionForm {
  /** The URL at which the application receives the token. */
  redirect: string;
  apiKey: string;
  userId: string;
  permissions: readonly string[];
}

/** The path to which the browser posts the ticket. */
export const CONNECTION_PATH = "/greenfield/hand-over";

const ROW = "greenfield:hand-over";
/** The maximum time between the response that contains the ticket and the request that submits it. */
const LASTS_MS = 120_000;

const kept = z.object({
  redirect: z.url(),
  apiKey: z.string(),
  userId: z.string(),
  permissions: z.array(z.string()),
  until: z.number(),
});

/** Returns a ticket: the token that a user has just granted, encrypted, so that the browser can neither read nor change it. */
export function encryptConnection(appSecret: AppSecret, connection: ConnectionForm, now: Date): string {
  return encrypt(appSecret, ROW, JSON.stringify({ ...connection, until: now.getTime() + LASTS_MS }));
}

/** Decrypts a ticket; null if this service did not create it, or it has expired. */
export function openConnection(appSecret: AppSecret, ticket: string, now: Date): ConnectionForm | null {
  try {
    const { until, ...connection } = kept.parse(JSON.parse(open(appSecret, ROW, ticket)));
    return until > now.getTime() ? connection : null;
  } catch {
    return null;
  }
}
