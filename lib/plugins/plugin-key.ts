import { createHash, generateKeyPair, randomInt } from "node:crypto";
import { promisify } from "node:util";
import type { CredentialRule } from "@/lib/domain/integrations/integration";
import { writePlatformKeys } from "@/lib/domain/keys/key-pair";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY_LENGTH = 32;
const RSA_BITS = 2_048;
const SHOWN_LENGTH = 4;
const FINGERPRINT_LENGTH = 8;

const generate = promisify(generateKeyPair);

/** A new credential of a plugin. */
export interface NewCredential {
  /** The key that the shop stores. It is shown once. */
  key: string;
  /** The public key with which the shop verifies the service's signatures; only for a key pair. */
  platformKey?: string;
  /** The characters that identify the key in lists. */
  shown: string;
  /** The stored form: a secret to be encrypted, or the hash of a token. */
  stored: { secret: string } | { tokenHash: string };
}

/** Generates a credential. A key pair takes several hundred milliseconds, so call it outside transactions. */
export async function generateCredential(kind: CredentialRule["key"]): Promise<NewCredential> {
  if (kind === "key_pair") return generateKeyPairs();
  const key = generatePluginKey();
  const stored = kind === "token" ? { tokenHash: hashToken(key) } : { secret: key };
  return { key, shown: key.slice(0, SHOWN_LENGTH), stored };
}

/**
 * Generates the key pairs of a shop and of the platform: RSA with 2,048 bits. All keys are bare base64, without PEM lines. The shop's
 * private key is not stored. Base64 keys all begin alike, so a fingerprint of the shop's public key identifies them.
 */
async function generateKeyPairs(): Promise<NewCredential> {
  const [shop, platform] = await Promise.all([generateRsa(), generateRsa()]);
  const secret = writePlatformKeys({
    shopPublicKey: shop.publicKey.toString("base64"),
    platformPrivateKey: platform.privateKey.toString("base64"),
  });
  return {
    key: shop.privateKey.toString("base64"),
    platformKey: platform.publicKey.toString("base64"),
    shown: createHash("sha256").update(shop.publicKey).digest("hex").slice(0, FINGERPRINT_LENGTH),
    stored: { secret },
  };
}

function generateRsa(): Promise<{ publicKey: Buffer; privateKey: Buffer }> {
  return generate("rsa", {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "der" },
  });
}

/** Returns a new key for plugins: 32 alphanumeric characters (190 random bits), which every form and URL accepts unescaped. */
function generatePluginKey(): string {
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
