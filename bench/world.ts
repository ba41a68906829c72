import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type DbPool, openDb } from "@/db/client";
import { startEmbedded } from "@/db/embedded";
import { migrate } from "@/db/migrate";
import { apiKeys, familyAddresses, merchants, receivingAddresses } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { generateApiKey, generateSecret, hashApiKey } from "@/lib/domain/keys/api-key";
import { protectKeyHash } from "@/lib/merchants/key-hashes";
import { addressMac, encrypt } from "@/lib/merchants/vault";

/** A separate database with one merchant. */
export interface World {
  pool: DbPool;
  databaseUrl: string;
  merchantId: string;
  apiKeyId: string;
  apiKey: string;
  /** Returns the CPU time of all processes of the database so far; null without /proc. */
  databaseCpuMs(): Promise<number | null>;
  close(): Promise<void>;
}

export const CONNECTIONS = 16;
export const APP_SECRET = "a-secret-that-lives-as-long-as-this-run";

const open = new Set<World>();

/** Closes the databases of interrupted measurements. */
export async function closeWorlds(): Promise<void> {
  await Promise.allSettled([...open].map((world) => world.close()));
}

/**
 * Starts a PostgreSQL server with its default durability.
 * @param settings the server settings, in addition to its defaults
 * @param keptFolder the folder in which the data is kept, possibly from an earlier run; null if the data is deleted at the end
 */
export async function startWorld(
  settings: Readonly<Record<string, string>> = {},
  keptFolder: string | null = null,
): Promise<World> {
  const folder = keptFolder ?? (await mkdtemp(path.join(tmpdir(), "stablegate-bench-")));
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const dataDir = path.join(folder, "data");
  const isPersistent = keptFolder !== null;
  const server = await startEmbedded({ dataDir, port: 0, password: "bench", isPersistent, settings });
  const url = server.databaseUrl("postgres");
  await migrate(url);
  const pool = openDb(url, { work: "none", max: CONNECTIONS, applicationName: "stablegate-bench" });
  const [first] = await pool.db.select({ id: merchants.id }).from(merchants).orderBy(merchants.id).limit(1);
  const merchant = first ? { merchantId: first.id, ...(await addKey(pool, first.id)) } : await addMerchant(pool);
  const world: World = {
    pool,
    databaseUrl: url,
    ...merchant,
    databaseCpuMs: () => familyCpuMs(path.join(dataDir, "postmaster.pid")).catch(() => null),
    async close() {
      open.delete(world);
      await pool.close();
      await server.stop();
      if (!isPersistent) await rm(folder, { recursive: true, force: true });
    },
  };
  open.add(world);
  return world;
}

/** Opens connections like those of a worker to one network. */
export function openLikeWorker({ databaseUrl }: Pick<World, "databaseUrl">): DbPool {
  return openDb(databaseUrl, { work: "worker", max: 3, applicationName: "stablegate-bench", preparesRepeated: true });
}

/** Adds a merchant with a key and a shared address. */
export async function addMerchant(pool: DbPool, address = `0x${"ab".repeat(20)}`) {
  const now = new Date();
  const merchantId = newId(now);
  const cursor = { merchantId, network: "ethereum", address, kind: "shared" as const };
  const family = "evm" as const;
  const { db } = pool;
  await db.insert(merchants).values({ id: merchantId, name: "Bench", createdAt: now });
  const key = await addKey(pool, merchantId);
  await db.insert(familyAddresses).values({ family, ...cursor });
  await db
    .insert(receivingAddresses)
    .values({ id: newId(now), ...cursor, family, mac: addressMac(APP_SECRET, cursor), createdAt: now });
  return { merchantId, ...key };
}

async function addKey({ db }: DbPool, merchantId: string) {
  const now = new Date();
  const apiKeyId = newId(now);
  const apiKey = generateApiKey("test");
  const secretCipher = encrypt(APP_SECRET, `api_keys:${apiKeyId}`, generateSecret());
  const key = { id: apiKeyId, merchantId, name: "bench", prefix: apiKey.slice(0, 14) };
  const hash = protectKeyHash(APP_SECRET, apiKeyId, hashApiKey(apiKey));
  await db.insert(apiKeys).values({ ...key, ...hash, secretCipher, createdAt: now });
  return { apiKeyId, apiKey };
}

/** Returns the CPU time of a process and its children, including those that have ended (proc(5)). A tick is a hundredth of a second. */
async function familyCpuMs(pidFile: string): Promise<number> {
  const [parent] = (await readFile(pidFile, "utf8")).split("\n");
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  let ticks = 0;
  stats.forEach((stat, index) => {
    const [, parentId, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (pids[index] !== parent && parentId !== parent) return;
    const own = fields.slice(9, 11);
    const children = pids[index] === parent ? fields.slice(11, 13) : [];
    for (const field of [...own, ...children]) ticks += Number(field);
  });
  return ticks * 10;
}
