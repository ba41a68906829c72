import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { type AppSecret, openingSecrets, sealingSecret } from "@/lib/domain/keys/app-secret";

type Purpose = "api-key-secret" | "api-key-lookup" | "address-mac" | "set-up-code" | "session" | "unsubscribe";

const TAG_BYTES = 16;
const MAX_REMEMBERED = 10_000;

/** Returns a 32-byte key for one purpose, derived from APP_SECRET. */
export function deriveKey(appSecret: AppSecret, purpose: Purpose): Buffer {
  return deriveFrom(sealingSecret(appSecret), purpose);
}

/** Returns the key of every secret that may have been used, the current one first. There are two secrets while APP_SECRET changes. */
export function deriveKeys(appSecret: AppSecret, purpose: Purpose): readonly Buffer[] {
  return openingSecrets(appSecret).map((secret) => deriveFrom(secret, purpose));
}

function deriveFrom(secret: string, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "stablegate", purpose, 32));
}

/** Encrypts a secret (AES-256-GCM), bound to `row`: it cannot be decrypted in a different row. Returns nonce, tag and text in base64. */
export function encrypt(appSecret: AppSecret, row: string, plain: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(appSecret, "api-key-secret"), nonce).setAAD(Buffer.from(row));
  const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64");
}

/**
 * Decrypts a text that `encrypt` returned.
 * @throws Error if the row or APP_SECRET is different, or the text was changed
 */
export function open(appSecret: AppSecret, row: string, encrypted: string): string {
  const keys = deriveKeys(appSecret, "api-key-secret");
  for (const key of keys.slice(0, -1)) {
    try {
      return openWith(key, row, encrypted);
    } catch {
      // The value may be encrypted under an earlier APP_SECRET; the last key throws.
    }
  }
  return openWith(keys.at(-1) ?? Buffer.alloc(0), row, encrypted);
}

function openWith(key: Buffer, row: string, encrypted: string): string {
  const bytes = Buffer.from(encrypted, "base64");
  const cipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(row)).setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString("utf8");
}

/** The fields that the MAC of a receiving address covers. */
export interface AddressIdentity {
  merchantId: string;
  network: string;
  address: string;
  kind: string;
}

/** The source of a derived address, and its index. */
export interface Derivation {
  sourceId: string;
  sourceIndex: number;
}

/**
 * Returns the HMAC of a receiving address. An address that was changed in the database outside the application fails the check. For a
 * derived address, the HMAC also covers the derivation, so that both can be checked.
 */
export function addressMac(appSecret: AppSecret, row: AddressIdentity, derivation: Derivation | null = null): string {
  const mac = macWith(deriveKey(appSecret, "address-mac"), row, derivation);
  return derivation ? `${derivation.sourceId}.${derivation.sourceIndex}.${mac}` : mac;
}

/** Returns the derivation in the MAC of an address; null if the address was pasted. */
export function derivationOf(mac: string): Derivation | null {
  const [sourceId, index, rest] = mac.split(".");
  return sourceId && rest && index && /^\d{1,9}$/.test(index) ? { sourceId, sourceIndex: Number(index) } : null;
}

/**
 * Returns a function that verifies receiving addresses against their MACs. Every order creation uses it, so the keys are derived only
 * once. A verified row is cached with its fields, so that a changed row is verified again.
 */
export function addressVerifier(appSecret: AppSecret): (row: AddressIdentity & { mac: string }) => boolean {
  const keys = deriveKeys(appSecret, "address-mac").map((key) => createSecretKey(key));
  /** The verified rows by their MAC. */
  const verified = new Map<string, AddressIdentity>();
  return (row) => {
    const known = verified.get(row.mac);
    if (known && isSameIdentity(known, row)) return true;
    const derivation = derivationOf(row.mac);
    const mac = row.mac.slice(row.mac.lastIndexOf(".") + 1);
    const isVerified = keys.some((key) => isEqual(macWith(key, row, derivation), mac));
    if (isVerified) {
      if (verified.size >= MAX_REMEMBERED) verified.clear();
      const { merchantId, network, address, kind } = row;
      verified.set(row.mac, { merchantId, network, address, kind });
    }
    return isVerified;
  };
}

function isSameIdentity(one: AddressIdentity, other: AddressIdentity): boolean {
  return (
    one.merchantId === other.merchantId &&
    one.network === other.network &&
    one.address === other.address &&
    one.kind === other.kind
  );
}

function macWith(key: Buffer | KeyObject, row: AddressIdentity, derivation: Derivation | null): string {
  return createHmac("sha256", key).update(textOf(row, derivation)).digest("base64url");
}

function textOf(row: AddressIdentity, derivation: Derivation | null = null): string {
  const from = derivation ? [derivation.sourceId, derivation.sourceIndex] : [];
  return JSON.stringify([row.merchantId, row.network, row.address, row.kind, ...from]);
}

/** Returns the code that lets the first visitor register as owner: the same in every process of an installation. */
export function setUpCode(appSecret: AppSecret): string {
  const digits = deriveKey(appSecret, "set-up-code").toString("hex").slice(0, 12).toUpperCase();
  return digits.match(/.{4}/g)?.join("-") ?? digits;
}

/** Compares two strings in constant time. */
export function isEqual(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
