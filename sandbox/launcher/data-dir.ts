import { randomBytes } from "node:crypto";
import { copyFile, mkdir, rename } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { openDataFolder } from "@/scripts/supervisor/data-folder";
import { readJson, writePrivateJson } from "@/scripts/supervisor/private-file";

export interface DataDir {
  postgres: string;
  chains: string;
  logs: string;
  lock: string;
  secrets: string;
  merchant: string;
  shop: string;
  /** The path for RATES_FILE of web and worker. */
  rates: string;
  /** The announcement file, which is written when everything is ready and removed at stop. */
  announcement: string;
}

/** The name of the file with the sandbox's secrets in its data folder. */
export const SECRETS_FILE = "secrets.json";

const Secrets = z.object({ appSecret: z.string().min(32), databasePassword: z.string().min(16) });
export type Secrets = z.infer<typeof Secrets>;

/**
 * Creates the data folder of the sandbox.
 * @returns the paths of its parts
 * @throws StartProblem if this user cannot write to it
 */
export async function openDataDir(folder: string): Promise<DataDir> {
  const at = (...parts: string[]) => path.join(folder, ...parts);
  const dirs = { chains: at("chains"), logs: at("logs") };
  await openDataFolder(folder, Object.values(dirs));
  return {
    ...dirs,
    postgres: at("postgres"),
    lock: at("lock.json"),
    secrets: at(SECRETS_FILE),
    merchant: at("merchant.json"),
    shop: at("shop.jsonl"),
    rates: at("rates.json"),
    announcement: at("sandbox.json"),
  };
}

/**
 * Moves the database's data into a separate data folder, with copies of all files needed to open it. The data is moved last, so that an
 * interrupted start leaves it in place.
 * @returns that folder
 */
export async function keepAside(dir: DataDir, now: Date): Promise<string> {
  const kept = path.join(path.dirname(dir.postgres), `kept-${now.toISOString().replaceAll(":", "-")}`);
  await mkdir(kept);
  for (const file of [dir.secrets, dir.merchant, dir.shop])
    await copyFile(file, path.join(kept, path.basename(file))).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  await rename(dir.postgres, path.join(kept, path.basename(dir.postgres)));
  return kept;
}

/** Returns the secrets of this sandbox. They are created at its first start and never change. */
export async function readSecrets(file: string): Promise<Secrets> {
  const known = await readJson(file, Secrets);
  if (known) return known;
  const made = {
    appSecret: randomBytes(32).toString("base64"),
    databasePassword: randomBytes(24).toString("base64url"),
  };
  await writePrivateJson(file, made);
  return made;
}
