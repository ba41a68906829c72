import path from "node:path";
import * as z from "zod";
import { EnvError } from "@/lib/config/env";
import { openFront } from "@/sandbox/dev/front";
import { watchVersions } from "@/sandbox/dev/watch-versions";
import { readSecrets } from "@/sandbox/launcher/data-dir";
import { ROOT } from "@/scripts/root";
import { readJson } from "@/scripts/supervisor/private-file";
import { startPages } from "@/server";

const World = z.object({
  base_url: z.string(),
  database_url: z.string(),
  networks: z.record(z.string(), z.object({ rpc_url: z.string() })),
});

const HOST = "127.0.0.1";

/**
 * Runs `npm run dev`: starts a web process beside the running sandbox, on its database. Pages of the back office are compiled when they
 * are requested, and the browser reloads them when their files change. A changed file of the API or the payment page creates a new
 * version, which takes over the port.
 */
async function run(): Promise<void> {
  const folder = path.resolve(ROOT, process.env["STABLEGATE_DATA_DIR"]?.trim() || ".data");
  const world = await readJson(path.join(folder, "sandbox.json"), World);
  if (!world) throw new EnvError([`no sandbox is running on ${folder}; start it in another window: npm start`]);
  const { appSecret } = await readSecrets(path.join(folder, "secrets.json"));
  const front = await openFront({ host: HOST, port: Number(process.env["PORT"]?.trim() || "3100") });
  const publicUrl = `http://localhost:${front.port}`;
  const urls = Object.entries(world.networks).map(([id, { rpc_url }]) => [
    `${id.toUpperCase()}_RPC_URLS`,
    rpc_url + (id === "tron" ? "/jsonrpc" : ""),
  ]);
  const pages = await startPages({ host: HOST, port: front.port }, { isDev: true });
  const versions = await watchVersions({
    root: ROOT,
    pages,
    settings: {
      ...Object.fromEntries(urls),
      STABLEGATE_SANDBOX: "1",
      DATABASE_URL: world.database_url,
      APP_SECRET: appSecret,
      PUBLIC_URL: publicUrl,
      HOST,
      CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
      RATE_LIMIT_VIEWS: "off",
      EVENT_STREAMS_PER_ADDRESS: "off",
    },
    onReplace: front.hold,
    onVersion: ({ port, number, readyMs }) => {
      front.forwardTo(port);
      console.log(
        number === 1
          ? `The back office, the API and the payment page at ${publicUrl} reload when their files change and use the sandbox's data.`
          : `Version ${number} of the API and the payment page is served, ${readyMs} ms after it was compiled.`,
      );
    },
    onFailure: (message) => process.stderr.write(`${message}\n`),
  });
  const close = async () => {
    front.close();
    await versions.close();
    await pages.close();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => void close().finally(() => process.exit(0)));
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
