import { createHash, randomInt } from "node:crypto";
import type { CredentialRule } from "@/lib/domain/integrations/integration";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY_LENGTH = 32;

/** Returns a new key for plugins: 32 alphanumeric characters (190 random bits), which every form and URL accepts unescaped. */
export function generatePluginKey(): string {
  return Array.from({ length: KEY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** Returns a new public id for a shop, which identifies the shop in requests. */
export function generatePublicId(form: CredentialRule["publicId"]): string {
  return form === "letters" ? generatePluginKey() : String(randomInt(100_000_000, 1_000_000_000));
}

/** Returns the SHA-256 of a token in hex, the only stored form of a token. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
