import { inspect } from "node:util";
import { parentPort } from "node:worker_threads";
import { newAppRole } from "@/db/app-role";
import { openDb } from "@/db/client";
import { DumpProblem } from "@/db/dump/format";
import { migrate } from "@/db/migrate";
import { EnvError, readEnv } from "@/lib/config/env";
import { withCredentials } from "@/lib/domain/database-url";
import { toAppSecret } from "@/lib/domain/keys/app-secret";
import { AppSecretError, requireAppSecret } from "@/lib/merchants/check-app-secret";
import { encryptKeyHashes } from "@/lib/merchants/key-hashes";
import { keepDump } from "@/scripts/installation/keep-dumps";
import { DB_FOLDER } from "@/scripts/root";
import type { Outcome, Task } from "@/scripts/supervisor/preparation";

/** The thread in which a supervisor runs its tasks. */
parentPort?.on("message", async (task: Task) => parentPort?.postMessage(await perform(task)));

async function perform(task: Task): Promise<Outcome> {
  try {
    return { result: await run(task) };
  } catch (error) {
    const isKnown = [EnvError, DumpProblem, AppSecretError].some((known) => error instanceof known);
    return { problem: isKnown && error instanceof Error ? error.message : inspect(error), isKnown };
  }
}

async function run(task: Task): Promise<string> {
  if (task.kind === "settings") return checkSettings();
  if (task.kind === "migrate") return migrateOwn(task);
  return keepDump(task.url, task.folder, new Date());
}

/** Reports all problems with the settings in one list, before anything is created. @throws EnvError */
function checkSettings(): string {
  const placeholder = "set by this program after start-up";
  readEnv({
    ...process.env,
    DATABASE_URL: "postgres://own@127.0.0.1/own",
    APP_SECRET: process.env["APP_SECRET"]?.trim() || placeholder,
  });
  return "";
}

/** @throws AppSecretError */
async function migrateOwn({ url, secrets }: Task & { kind: "migrate" }): Promise<string> {
  const appRole = newAppRole();
  await migrate(url, DB_FOLDER, appRole);
  const pool = openDb(url, { work: "none", max: 1, applicationName: "stablegate-start" });
  try {
    const appSecret = toAppSecret(secrets.APP_SECRET, secrets.APP_SECRET_ALSO);
    await requireAppSecret(pool.db, appSecret);
    await encryptKeyHashes(pool.db, appSecret);
  } finally {
    await pool.close();
  }
  return withCredentials(url, appRole);
}
