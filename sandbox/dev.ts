import path from "node:path";
import { z } from "zod";
import { EnvError, readEnv } from "@/lib/config/env";
import { readSecrets } from "@/sandbox/launcher/data-dir";
import { ROOT } from "@/scripts/root";
import { readJson } from "@/scripts/supervisor/private-file";
import { startWeb } from "@/server";

const World = z.object({
  base_url: z.string(),
  database_url: z.string(),
  networks: z.record(z.string(), z.object({ rpc_url: z.string() })),
});

/**
 * `npm run dev`: a web process beside the running sandbox, on its database, whose pages of the back office are compiled when they
 * are asked for and change in the browser as their files do. The API and the payment page are as they were at its start.
 */
async function run(): Promise<void> {
  const folder = path.resolve(ROOT, process.env["STABLEGATE_DATA_DIR"]?.trim() || ".data");
  const world = await readJson(path.join(folder, "sandbox.json"), World);
  if (!world) throw new EnvError([`no sandbox runs on ${folder}; start it in another window: npm start`]);
  const { appSecret } = await readSecrets(path.join(folder, "secrets.json"));
  const port = process.env["PORT"]?.trim() || "3100";
  const urls = Object.entries(world.networks).map(([id, { rpc_url }]) => [
    `${id.toUpperCase()}_RPC_URLS`,
    rpc_url + (id === "tron" ? "/jsonrpc" : ""),
  ]);
  const env = readEnv({
    ...Object.fromEntries(urls),
    STABLEGATE_SANDBOX: "1",
    DATABASE_URL: world.database_url,
    APP_SECRET: appSecret,
    PUBLIC_URL: `http://localhost:${port}`,
    PORT: port,
    HOST: "127.0.0.1",
    CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
    RATE_LIMIT_VIEWS: "off",
    EVENT_STREAMS_PER_ADDRESS: "off",
  });
  const web = await startWeb({ env, isDev: true });
  console.log(
    `Pages of the back office at ${env.publicUrl}/dashboard follow their files; what they show is the sandbox's.`,
  );
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => void web.close().finally(() => process.exit(0)));
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
