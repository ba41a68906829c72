import { createPrivateKey, createPublicKey } from "node:crypto";

/**
 * The part of a plugin's two key pairs that the service keeps: it verifies requests with the shop's public key, and signs responses and
 * callbacks with the platform's private key. Both are bare base64, without PEM lines.
 */
export interface PlatformKeys {
  /** SPKI. */
  shopPublicKey: string;
  /** PKCS#8. */
  platformPrivateKey: string;
}

/** Returns the platform's keys as the secret of a plugin's key. */
export function writePlatformKeys({ shopPublicKey, platformPrivateKey }: PlatformKeys): string {
  return JSON.stringify({ shopPublicKey, platformPrivateKey });
}

/** Returns the platform's keys of a plugin whose credentials are a key pair. */
export function readPlatformKeys(secret: string): PlatformKeys {
  return JSON.parse(secret) as PlatformKeys;
}

/** Returns the public key, bare base64 SPKI, with which a shop verifies the signatures of the platform. */
export function platformPublicKey({ platformPrivateKey }: PlatformKeys): string {
  const key = createPrivateKey({ key: Buffer.from(platformPrivateKey, "base64"), format: "der", type: "pkcs8" });
  return createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
}
