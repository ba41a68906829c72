import type { Db } from "@/db/client";
import {
  addNextTestMac,
  type EncryptedTable,
  type EncryptedValue,
  listEncrypted,
  listMarked,
  type MarkedAddress,
  replaceEncrypted,
  replaceTestMacs,
} from "@/db/queries/merchants/encrypted-values";
import { replaceKeyHashes } from "@/db/queries/merchants/key-hashes";
import { type AppSecret, sealingSecret } from "@/lib/domain/keys/app-secret";
import { ROW_NAMES, requireAppSecret, testMacOf } from "@/lib/merchants/check-app-secret";
import { keyHashName, protectKeyHash } from "@/lib/merchants/key-hashes";
import { addressMac, addressVerifier, derivationOf, encrypt, open } from "@/lib/merchants/vault";

/** The result of rotating a table's values. */
export interface Rotated {
  table: EncryptedTable;
  /** The number of values that were checked. */
  values: number;
  /** The number of values that were encrypted again. */
  renewed: number;
  /** The ids of values that were created with neither secret and are unchanged; at most a hundred are listed. */
  foreign: readonly string[];
  foreignCount: number;
}

const CONCURRENCY = 500;
const MAX_NAMED = 100;

interface RotateOptions {
  /** The number of rows that are read and written at a time. */
  concurrency?: number;
  /** Called after each batch with the table, and with the number of its values that were checked. */
  onBatch?: (table: EncryptedTable, values: number) => void | Promise<void>;
}

/**
 * Encrypts all values again under the current secret, and recomputes the MACs of all receiving addresses, a bounded number at a time, each
 * batch in one statement. Every value can be decrypted at any time with both secrets; a second run makes no changes. An address whose MAC
 * was created with neither secret keeps it, and is not offered.
 *
 * From the first write until the rotation has ended, APP_SECRET is accepted only with both secrets, so that no process starts with one of
 * them while values of both are in the database.
 * @throws AppSecretError if neither secret is the installation's; then nothing was changed
 */
export async function rotateAppSecret(db: Db, secret: AppSecret, options: RotateOptions = {}): Promise<Rotated[]> {
  await requireAppSecret(db, secret);
  const current = sealingSecret(secret);
  const isVerified = addressVerifier(secret);
  await addNextTestMac(db, testMacOf(current));
  const isOfNow = addressVerifier(current);
  const done: Rotated[] = [];
  for (const table of Object.keys(ROW_NAMES) as (keyof typeof ROW_NAMES)[]) {
    const rowName = ROW_NAMES[table];
    const list = (after: string, limit: number) => listEncrypted(db, table, after, limit);
    const renew = ({ id, value }: EncryptedValue): string | null => {
      if (opened(current, rowName(id), value) !== null) return value;
      const plain = opened(secret, rowName(id), value);
      return plain === null ? null : encrypt(current, rowName(id), plain);
    };
    const replace = table === "api_key_hashes" ? replaceHashes(db, current) : undefined;
    done.push(await rotateTable(db, table, { list, renew, replace }, options));
  }
  const renew = (row: MarkedAddress): string | null => {
    const marked = { ...row, mac: row.value };
    if (isOfNow(marked)) return row.value;
    return isVerified(marked) ? addressMac(current, row, derivationOf(row.value)) : null;
  };
  const list = (after: string, limit: number) => listMarked(db, after, limit);
  done.push(await rotateTable(db, "receiving_addresses", { list, renew }, options));
  await replaceTestMacs(db, testMacOf(current));
  return done;
}

interface Work<T extends EncryptedValue> {
  list(after: string, limit: number): Promise<T[]>;
  /**
   * Returns the value under the current secret; unchanged if it is already under that secret, and null if it was created with neither
   * secret.
   */
  renew(row: T): string | null;
  /** Writes the changes in one statement and returns how many rows were replaced; absent: only the value itself changes. */
  replace?: ((changed: readonly Renewed[]) => Promise<number>) | undefined;
}

type Renewed = EncryptedValue & { next: string };

/** Returns a function that replaces the hash and the HMAC of keys together, because a key is found by an HMAC of its hash. */
function replaceHashes(db: Db, current: string): (changed: readonly Renewed[]) => Promise<number> {
  return (changed) => {
    const rows = changed.map(({ id, value, next }) => {
      const { lookupMac } = protectKeyHash(current, id, open(current, keyHashName(id), next));
      return { id, lookupMac, hashCipher: next, was: value };
    });
    return replaceKeyHashes(db, rows);
  };
}

async function rotateTable<T extends EncryptedValue>(
  db: Db,
  table: EncryptedTable,
  { list, renew, replace = (changed) => replaceEncrypted(db, table, changed) }: Work<T>,
  { concurrency = CONCURRENCY, onBatch }: RotateOptions,
): Promise<Rotated> {
  const foreign: string[] = [];
  let values = 0;
  let renewed = 0;
  let foreignCount = 0;
  let after = "";
  for (;;) {
    const rows = await list(after, concurrency);
    const all = rows.map((row) => ({ id: row.id, value: row.value, next: renew(row) }));
    const strangers = all.filter(({ next }) => next === null);
    foreignCount += strangers.length;
    foreign.push(...strangers.slice(0, MAX_NAMED - foreign.length).map(({ id }) => id));
    const changed = all.flatMap(({ id, value, next }) =>
      next === null || next === value ? [] : [{ id, value, next }],
    );
    renewed += await replace(changed);
    values += rows.length;
    await onBatch?.(table, values);
    const last = rows.at(-1);
    if (!last || rows.length < concurrency) return { table, values, renewed, foreign, foreignCount };
    after = last.id;
  }
}

function opened(secret: AppSecret, row: string, encrypted: string): string | null {
  try {
    return open(secret, row, encrypted);
  } catch {
    return null;
  }
}
