import type { Db } from "@/db/client";
import {
  type EncryptedTable,
  type EncryptedValue,
  findTestMacs,
  insertTestMacs,
  listEncrypted,
  listMarked,
  replaceTestMacs,
} from "@/db/queries/merchants/encrypted-values";
import type { VerifyAddress } from "@/lib/domain/addresses/address";
import { type AppSecret, openingSecrets, sealingSecret } from "@/lib/domain/keys/app-secret";
import { keyHashName } from "@/lib/merchants/key-hashes";
import { claimName } from "@/lib/merchants/refund-claims";
import { addressMac, addressVerifier, open } from "@/lib/merchants/vault";

/** The error for an APP_SECRET that is not the secret of the installation, or is only one of the two that a rotation needs. */
export class AppSecretError extends Error {
  override readonly name = "AppSecretError";
}

/** Functions that return the additional authenticated data for each table's encrypted values. */
export const ROW_NAMES = {
  api_keys: (id) => `api_keys:${id}`,
  api_key_hashes: keyHashName,
  users: (id) => `totp:${id}`,
  signing_keys: (id) => `signing_keys:${id}`,
  notification_channels: (id) => `notification_channels:${id}`,
  plugin_keys: (id) => `plugin_keys:${id}`,
  plugin_webhooks: (id) => `plugin_webhooks:${id}`,
  address_sources: (id) => `address_sources:${id}`,
  refund_requests: claimName,
} as const satisfies Partial<Record<EncryptedTable, (id: string) => string>>;

const PAGE = 500;

/** The identity of an address that does not exist: its MAC is the test value of APP_SECRET. */
const TEST_IDENTITY = { merchantId: "", network: "", address: "app-secret", kind: "" };

const INVALID =
  "APP_SECRET is not the secret of this installation: the test value in the database cannot be verified with it. Set APP_SECRET to the previous value. To change it, set APP_SECRET to the new value and APP_SECRET_ALSO to the previous one, and run npm run rotate-app-secret. docs/running.md describes both, and what to do when the previous value is lost.";
const OPENS_NOTHING =
  "APP_SECRET is not the secret of this installation: it decrypts none of the secrets in the database and verifies none of the receiving addresses. Set APP_SECRET to the previous value. To change it, set APP_SECRET to the new value and APP_SECRET_ALSO to the previous one, and run npm run rotate-app-secret. docs/running.md describes both, and what to do when the previous value is lost.";
const UNFINISHED =
  "APP_SECRET is being changed, and the change is not complete: some secrets in the database need APP_SECRET, others another value. Set APP_SECRET_ALSO to that other value, the previous or the new one, and run npm run rotate-app-secret until it completes. docs/running.md describes how.";

/** Returns the test value of a secret. */
export function testMacOf(appSecret: AppSecret): string {
  return addressMac(appSecret, TEST_IDENTITY);
}

/**
 * Returns true if addresses are verified with the installation's secret. Only then does a failed MAC mean that the address was changed.
 * Returns false while no test value is stored.
 */
export async function isAppSecretVerified(db: Db, isVerifiedAddress: VerifyAddress): Promise<boolean> {
  const macs = await findTestMacs(db);
  return macs.length > 0 && macs.every((mac) => isVerifiedAddress({ ...TEST_IDENTITY, mac }));
}

/**
 * Verifies APP_SECRET against the stored test value. If none is stored, verifies it against the encrypted values and addresses of the
 * database, and stores the test value.
 * @throws AppSecretError; then nothing was stored
 */
export async function requireAppSecret(db: Db, appSecret: AppSecret): Promise<void> {
  if ((await findTestMacs(db)).length === 0) await storeFirst(db, appSecret);
  const problem = await findSecretProblem(db, appSecret);
  if (problem) throw new AppSecretError(problem);
}

/** Returns the problem with APP_SECRET, or null. Stores no data. */
export async function findSecretProblem(db: Db, appSecret: AppSecret): Promise<string | null> {
  const isMacValid = addressVerifier(appSecret);
  const macs = await findTestMacs(db);
  if (macs.length === 0) return (await findSecretsInUse(db, appSecret)) === "unknown" ? OPENS_NOTHING : null;
  const verified = macs.filter((mac) => isMacValid({ ...TEST_IDENTITY, mac }));
  if (verified.length === macs.length) return null;
  return verified.length > 0 ? UNFINISHED : INVALID;
}

/** Accepts a secret as the installation's although it decrypts no value in the database. This is needed if the previous secret is lost. */
export async function acceptAppSecret(db: Db, appSecret: AppSecret): Promise<void> {
  await replaceTestMacs(db, testMacOf(appSecret));
}

async function storeFirst(db: Db, appSecret: AppSecret): Promise<void> {
  const inUse = await findSecretsInUse(db, appSecret);
  if (inUse === "unknown") throw new AppSecretError(OPENS_NOTHING);
  const [first, second] = inUse === "none" ? [sealingSecret(appSecret)] : inUse;
  if (first === undefined) return;
  await insertTestMacs(db, { mac: testMacOf(first), nextMac: second === undefined ? null : testMacOf(second) });
}

/**
 * Returns the given secrets with which values in the database were created. One value is sufficient evidence, because a database may
 * contain values of a secret that was lost before.
 * @returns "none" if the database contains no such value, "unknown" if it contains only values of other secrets
 */
async function findSecretsInUse(db: Db, appSecret: AppSecret): Promise<string[] | "none" | "unknown"> {
  const found: string[] = [];
  for (const secret of openingSecrets(appSecret)) {
    const verified = await verifiesAnyValue(db, secret);
    if (verified === null) return "none";
    if (verified) found.push(secret);
  }
  return found.length > 0 ? found : "unknown";
}

/** Returns true if a secret verifies any value in the database, false if it verifies none; null if there is no value. */
async function verifiesAnyValue(db: Db, secret: string): Promise<boolean | null> {
  let isEmpty = true;
  const isVerified = async <T extends EncryptedValue>(
    list: (after: string) => Promise<T[]>,
    verify: (row: T) => boolean,
  ) => {
    for (let rows = await list(""); rows.length > 0; rows = await list(rows.at(-1)?.id ?? "")) {
      isEmpty = false;
      if (rows.some(verify)) return true;
    }
    return false;
  };
  for (const table of Object.keys(ROW_NAMES) as (keyof typeof ROW_NAMES)[]) {
    const secondary = ({ id, value }: EncryptedValue) => decrypts(secret, ROW_NAMES[table](id), value);
    if (await isVerified((after) => listEncrypted(db, table, after, PAGE), secondary)) return true;
  }
  const isMacValid = addressVerifier(secret);
  const addresses = (after: string) => listMarked(db, after, PAGE);
  if (await isVerified(addresses, (row) => isMacValid({ ...row, mac: row.value }))) return true;
  return isEmpty ? null : false;
}

function decrypts(secret: string, rowName: string, value: string): boolean {
  try {
    open(secret, rowName, value);
    return true;
  } catch {
    return false;
  }
}
