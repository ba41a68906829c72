import path from "node:path";
import * as z from "zod";
import { type Env, readEnv } from "@/lib/config/env";
import { namesDatabase } from "@/lib/config/secret-files";
import { type AppSecret, toAppSecret } from "@/lib/domain/keys/app-secret";
import { installNetworks } from "@/lib/domain/networks";
import { examineKeyHashes, examineRole } from "@/scripts/installation/examine-access";
import { examineEndpoints } from "@/scripts/installation/examine-endpoints";
import {
  examineDatabase,
  examineDisk,
  examinePublicUrl,
  examineSecret,
  examineSmtp,
} from "@/scripts/installation/examine-machine";
import { describeError, type Finding, lineOf } from "@/scripts/installation/finding";
import { hasData, openInstallation } from "@/scripts/installation/own-database";
import { ownFolder } from "@/scripts/installation/own-folder";
import { readOwnSecrets } from "@/scripts/installation/own-secret";
import { homeFolder, ROOT } from "@/scripts/root";
import { readJson } from "@/scripts/supervisor/private-file";

type Settings = Pick<Env, "rpcUrls" | "rpcHeaders" | "publicUrl" | "smtpUrl">;

interface Patient {
  settings: Settings;
  /** The URL of the database; null before the first start has created one. */
  databaseUrl: string | null;
  /** The application secret; null for a sandbox, or before the first start. */
  appSecret: AppSecret | null;
  /** The data folder on this machine. */
  folder: string;
  /** True if Stablegate runs its own PostgreSQL: web and worker then have a role that is not in the settings. */
  isOwnServer: boolean;
  close(): Promise<void>;
}

/** The part of a running sandbox's announcement that the doctor needs. */
const Sandbox = z.object({
  base_url: z.string(),
  database_url: z.string(),
  networks: z.record(z.string(), z.object({ rpc_url: z.string() })),
});

/**
 * `npm run doctor`: checks everything that the installation depends on and prints the remedy for each problem. Exit code 1 if a check
 * fails.
 */
async function run(): Promise<void> {
  const now = () => new Date();
  const patient = (await findSandbox()) ?? (await findLive());
  try {
    const { settings, databaseUrl, appSecret, folder, isOwnServer } = patient;
    const found: Finding[] = (
      await Promise.all([
        databaseUrl ? examineDatabase(databaseUrl, path.join(ROOT, "db"), now) : [],
        databaseUrl && appSecret ? examineSecret(databaseUrl, appSecret) : [],
        databaseUrl ? examineKeyHashes(databaseUrl) : [],
        databaseUrl && !isOwnServer ? examineRole(databaseUrl) : [],
        examineEndpoints(settings, now),
        examinePublicUrl(settings.publicUrl, now),
        examineSmtp(settings.smtpUrl),
        examineDisk(folder),
      ])
    ).flat();
    for (const finding of found) console.log(lineOf(finding));
    const invalid = found.filter(({ isWell }) => !isWell).length;
    console.log(invalid === 0 ? "No problems found." : `${invalid} of ${found.length} checks failed.`);
    process.exitCode = invalid === 0 ? 0 : 1;
  } finally {
    await patient.close();
  }
}

/** Returns the running sandbox, if no setting of a live installation is present. */
async function findSandbox(): Promise<Patient | null> {
  const isLive = Object.entries(process.env).some(
    ([name, value]) =>
      /^(?:DATABASE_URL|APP_SECRET|(?:DATABASE_URL|APP_SECRET)_FILE|PUBLIC_URL|[A-Z0-9_]+_RPC_URLS)$/.test(name) &&
      value?.trim(),
  );
  if (isLive) return null;
  const folder = path.resolve(homeFolder(process.env), process.env["STABLEGATE_DATA_DIR"]?.trim() || ".data");
  const world = await readJson(path.join(folder, "sandbox.json"), Sandbox);
  if (!world) return null;
  const rpcUrls = new Map(
    Object.entries(world.networks).map(([id, { rpc_url }]) => [
      id,
      id === "tron" ? [`${rpc_url}/jsonrpc`, rpc_url] : [rpc_url],
    ]),
  );
  return {
    settings: { rpcUrls, rpcHeaders: new Map(), publicUrl: world.base_url, smtpUrl: null },
    databaseUrl: world.database_url,
    appSecret: null,
    folder,
    isOwnServer: true,
    close: async () => {},
  };
}

async function findLive(): Promise<Patient> {
  const own = ownFolder(process.env);
  const isOwn = !namesDatabase(process.env);
  const env = readEnv({
    ...process.env,
    ...(isOwn && {
      DATABASE_URL: "postgres://own@127.0.0.1/own",
      APP_SECRET: process.env["APP_SECRET"]?.trim() || "of its file, which is checked below",
    }),
  });
  installNetworks(env.networks);
  if (!isOwn)
    return {
      settings: env,
      databaseUrl: env.databaseDirectUrl ?? env.databaseUrl,
      appSecret: env.appSecret,
      folder: ROOT,
      isOwnServer: false,
      close: async () => {},
    };
  if (!(await hasData(own)))
    return { settings: env, databaseUrl: null, appSecret: null, folder: own, isOwnServer: true, close: async () => {} };
  const secrets = await readOwnSecrets(process.env, own);
  const { url, close } = await openInstallation(process.env);
  const appSecret = toAppSecret(secrets.APP_SECRET, secrets.APP_SECRET_ALSO);
  return { settings: env, databaseUrl: url, appSecret, folder: own, isOwnServer: true, close };
}

run().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof z.ZodError ? describeError(error) : error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});
