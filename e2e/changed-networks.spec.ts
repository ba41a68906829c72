import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { openAddForm, signIn } from "@/e2e/world/office";
import { expect, test } from "@/e2e/world/scenario";
import { type Announcement, dataFolder } from "@/sandbox/announcement";
import { readSecrets } from "@/sandbox/launcher/data-dir";
import { LEASH } from "@/scripts/root";

const CHANGED = {
  ethereum: { explorer: { name: "Own", address: "https://own.example/a/{}" } },
  bsc: { tokens: { USDT: false, USDC: false } },
};

test("pages of the back office, which are bundled separately, show the operator's changes of networks", async ({
  page,
  sandbox,
}) => {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-networks-"));
  const file = path.join(folder, "networks.json");
  await writeFile(file, JSON.stringify(CHANGED));
  const web = await startLiveWeb(sandbox, file);
  try {
    await signIn(page, { ...sandbox, base_url: web.url });
    await expect(page.getByText("Changed by the operator: its explorer's name Own")).toBeVisible();
    await page.goto(`${web.url}/dashboard/settings/addresses`);
    await expect(page.locator('a[href^="https://own.example/a/0x"]').first()).toBeVisible();
    await openAddForm(page, "shared");
    const choice = page.getByRole("dialog").getByLabel("Network");
    await expect(choice).toContainText("Ethereum (ERC20)");
    await expect(choice).not.toContainText("BNB Smart Chain");
  } finally {
    await web.stop();
    await rm(folder, { recursive: true });
  }
});

/** Starts a web process in live mode on the sandbox's database, because explorers are only linked in live mode. */
async function startLiveWeb(sandbox: Announcement, networksFile: string) {
  const { appSecret } = await readSecrets(path.join(dataFolder(process.env), "secrets.json"));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = {
    PATH: process.env["PATH"],
    NODE_ENV: "production" as const,
    NETWORKS_FILE: networksFile,
    LOG_LEVEL: "fatal",
    DATABASE_URL: sandbox.database_url,
    APP_SECRET: appSecret,
    PUBLIC_URL: url,
    PORT: String(port),
    ETHEREUM_RPC_URLS: "http://127.0.0.1:9",
    BSC_RPC_URLS: "http://127.0.0.1:9",
  };
  const args = ["--enable-source-maps", "--import", pathToFileURL(LEASH).href, ".build/web.js"];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit", "ipc"] });
  await listens(child);
  return { url, stop: () => end(child) };
}

async function listens(child: ChildProcess): Promise<void> {
  let text = "";
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes("Stablegate is listening at")) return;
  }
  throw new Error(`The web process ended. It said:\n${text}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  server.close();
  if (!address || typeof address === "string") throw new Error("no port");
  return address.port;
}
