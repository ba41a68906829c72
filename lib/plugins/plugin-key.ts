import { randomInt } from "node:crypto";
import type { IntegrationId } from "@/lib/domain/integration-id";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY_LENGTH = 32;

/** A key for plugins: 32 letters and digits (190 random bits), which every form and every URL takes as they are. */
export function generatePluginKey(): string {
  return Array.from({ length: KEY_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

/** What requests name a shop by: nine digits, which every client can keep as a number; a store id of letters for Greenfield. */
export function generatePublicId(integration: IntegrationId): string {
  return integration === "greenfield" ? generatePluginKey() : String(randomInt(100_000_000, 1_000_000_000));
}
