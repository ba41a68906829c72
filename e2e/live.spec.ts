import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { freePort } from "@/e2e/world/installation";
import { pressOn, typeInto } from "@/e2e/world/keyboard";
import { createOrder, findOrder, Receiver } from "@/e2e/world/merchant";
import { openAddForm } from "@/e2e/world/office";
import { expect, test } from "@/e2e/world/scenario";
import { parseUnits } from "@/lib/domain/money";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { startEvmNode } from "@/sandbox/nodes/evm-node";
import { openWallet } from "@/sandbox/wallets/wallet";

const PASSWORD = "correct horse battery";
const TREASURY = "0x2222222222222222222222222222222222222222";

/** The program that `npm start` runs, with the settings of a `.env` file and a data folder. */
class Live {
  readonly #output = { text: "" };
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.#output.text += chunk.toString();
      });
    }
  }

  static start(envFile: string, folder: string): Live {
    const { PATH, HOME, TMPDIR } = process.env;
    const child = spawn(process.execPath, [`--env-file=${envFile}`, "--enable-source-maps", ".build/live.js"], {
      env: { PATH, HOME, TMPDIR, NODE_ENV: "production", STABLEGATE_DATA_DIR: folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return new Live(child);
  }

  /**
   * Waits for output that matches a pattern.
   * @returns the match
   */
  async waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    await expect
      .poll(() => this.#child.exitCode !== null || pattern.test(this.#output.text), { timeout: 120_000 })
      .toBe(true);
    const match = pattern.exec(this.#output.text);
    if (!match) throw new Error(`It ended without a word of ${pattern}. It said:\n${this.#output.text}`);
    return match;
  }

  /**
   * Stops the program like Ctrl-C.
   * @returns its exit code
   */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return this.#child.exitCode;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGINT");
    await ended;
    return this.#child.exitCode;
  }
}

const dialogOf = (page: Page) => page.getByRole("dialog");

async function addAddress(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/dashboard/settings/addresses`);
  await openAddForm(page, "shared");
  await dialogOf(page).getByLabel("Address", { exact: true }).fill(TREASURY);
  await dialogOf(page).getByLabel("Enter the address again").fill(TREASURY);
  await dialogOf(page).getByLabel("Your password").fill(PASSWORD);
  await dialogOf(page).getByRole("button", { name: "Add address" }).click();
  await expect(dialogOf(page)).toHaveCount(0);
  await expect(page.getByTitle(TREASURY).first()).toBeVisible();
}

async function makeKey(page: Page, url: string): Promise<{ api_key: string; api_secret: string }> {
  await page.goto(`${url}/dashboard/settings/api-keys`);
  await page.getByRole("button", { name: "Create API key" }).click();
  await dialogOf(page).getByLabel("Name").fill("Shop");
  await dialogOf(page).getByLabel("Your password").fill(PASSWORD);
  await dialogOf(page).getByRole("button", { name: "Create", exact: true }).click();
  const key = page.getByText(/^sg_live_[0-9A-Za-z]{49}$/).first();
  const secret = page.getByText(/^whsec_[0-9A-Za-z+/=]+$/).first();
  await expect(key).toBeVisible();
  return { api_key: (await key.textContent()) ?? "", api_secret: (await secret.textContent()) ?? "" };
}

test("two lines of settings and an empty folder: registered, paid on a chain, reported, and persistent after a restart", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate from nothing-"));
  const ethereum = getNetwork("ethereum");
  const node = await startEvmNode(ethereum, { blockMs: 250 });
  const receiver = await Receiver.open();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const envFile = path.join(folder, ".env");
  // A shop needs only these two lines. The port and the access to a shop on this machine are specific to the test machine.
  const shop = `PUBLIC_URL=${url}\nETHEREUM_RPC_URLS=${node.url}\n`;
  await writeFile(envFile, `${shop}PORT=${port}\nCALLBACK_ALLOW_CIDRS=127.0.0.0/8\n`);
  let live = Live.start(envFile, folder);
  try {
    const [, code = ""] = await live.waitForOutput(/enter the set-up code ([^\s"]+)/);
    expect((await stat(path.join(folder, "live", "app-secret"))).mode & 0o777).toBe(0o600);

    await page.goto(`${url}/register`);
    await typeInto(page, page.getByLabel("Set-up code"), code);
    await typeInto(page, page.getByLabel("Shop name"), "Corner shop");
    await typeInto(page, page.getByLabel("Email"), "owner@example.com");
    await typeInto(page, page.getByLabel("Password"), PASSWORD);
    await pressOn(page, page.getByRole("button", { name: "Create account" }));
    await expect(page).toHaveURL(/\/dashboard/);
    await addAddress(page, url);
    const shopKey = { base_url: url, ...(await makeKey(page, url)) };

    const terms = { network: "ethereum", currency: "USDT", amount: 49.9, notify_url: receiver.url };
    const order = await createOrder(shopKey, terms);
    expect(order.address).toBe(TREASURY);
    await page.goto(order.payment_url);
    await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "pending");
    const { contract, decimals } = getToken(ethereum, "USDT");
    const baseUnits = parseUnits(String(order.actual_amount), decimals) ?? 0n;
    await (await openWallet(node.url)).transfer({ contract, to: TREASURY, baseUnits });
    await expect(page.getByTestId("checkout")).toHaveAttribute("data-state", "paid");
    await expect.poll(() => receiver.callbacks.length).toBe(1);
    const [callback] = receiver.callbacks;
    const event = new Webhook(shopKey.api_secret).verify(callback?.body ?? "", callback?.headers ?? {});
    expect(event).toMatchObject({ type: "payment.confirmed", data: { trade_id: order.trade_id, status: "paid" } });

    expect(await live.stop()).toBe(0);
    await expect(page.request.get(`${url}/api/health`)).rejects.toThrow(/ECONNREFUSED/);
    live = Live.start(envFile, folder);
    await expect
      .poll(async () => (await page.request.get(`${url}/api/health`).catch(() => null))?.status(), { timeout: 120_000 })
      .toBe(200);
    expect((await findOrder(shopKey, order.trade_id)).status).toBe("paid");
    await page.goto(`${url}/dashboard/orders/${order.trade_id}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Paid");
  } finally {
    await live.stop();
    await receiver.close();
    await node.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
