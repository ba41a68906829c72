import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { phpWith, pythonWith } from "@/testing/published-client";
import { type BotApi, startBotApi } from "@/testing/recipes/bot-api";
import { expectPrintedOnce, expectShopSells } from "@/testing/recipes/expect-shop-sells";
import { removePackedSdk, writeNodeRecipe } from "@/testing/recipes/node-recipe";
import {
  callbackOf,
  deliverCallbacks,
  expectForgeriesRefused,
  openLink,
  openMerchant,
  payOrder,
  sendCallback,
  tradeIdIn,
} from "@/testing/recipes/paid-orders";
import { writeRecipe } from "@/testing/recipes/recipe";
import { freePort, recipeEnv, type ShopCommand, type ShopProcess, startShop } from "@/testing/recipes/shop-process";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ callbackAllowCidrs: ["127.0.0.0/8"], viewsPerMinute: 100_000 });
const run = promisify(execFile);
/** The time for a test, which may first install a framework. */
const INSTALL_AND_RUN_MS = 400_000;
/** A project with the app of the recipe and the parts of the default settings that it uses. */
const DJANGO_SETTINGS = `
import os
DEBUG = True
SECRET_KEY = "secret-of-the-test"
INSTALLED_APPS = ["shop"]
ROOT_URLCONF = "shop.urls"
MIDDLEWARE = ["django.middleware.security.SecurityMiddleware", "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware"]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db.sqlite3"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
STABLEGATE_URL, STABLEGATE_KEY, STABLEGATE_SECRET, SHOP_URL = (
    os.environ[name] for name in ("STABLEGATE_URL", "STABLEGATE_KEY", "STABLEGATE_SECRET", "SHOP_URL"))
`;

beforeAll(() => openMerchant(api));
afterAll(removePackedSdk);

/** Starts a recipe, checks it, and removes its folder. */
async function runShop(shop: ShopCommand, check: (shop: ShopProcess) => Promise<void>): Promise<void> {
  const started = await startShop(api, shop);
  try {
    await check(started);
  } finally {
    await started.close();
    await rm(shop.cwd, { recursive: true, force: true });
  }
}

/** Returns true if a program runs here; otherwise prints that the test is skipped. */
async function canRun(program: string, ...rest: string[]): Promise<boolean> {
  const runs = await run(program, rest).then(
    () => true,
    () => false,
  );
  if (!runs) console.log(`${program} cannot be run here, so the test is skipped`);
  return runs;
}

test(
  "Express: a shop sells",
  async () => {
    const cwd = await writeNodeRecipe("express", ["express@5.3.0"]);
    if (cwd === null) return;
    await runShop({ command: [process.execPath, "shop.mjs"], cwd }, (shop) => expectShopSells(api, shop));
  },
  INSTALL_AND_RUN_MS,
);

test(
  "Next.js: an app that is built for production sells, and its types are correct",
  async () => {
    const cwd = await writeNodeRecipe("nextjs", null);
    if (cwd === null) return;
    const layout = 'export default ({ children }: LayoutProps<"/">) => <html><body>{children}</body></html>;\n';
    await writeFile(path.join(cwd, "app/layout.tsx"), layout);
    const next = path.resolve("node_modules/next/dist/bin/next");
    const env = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as const;
    await run(process.execPath, [next, "build"], { cwd, env: { ...process.env, ...recipeEnv(api, 1), ...env } });
    const command = [process.execPath, next, "start", "--hostname", "127.0.0.1", "--port", "PORT"] as const;
    await runShop({ command, cwd, env }, (shop) => expectShopSells(api, shop));
  },
  INSTALL_AND_RUN_MS,
);

test(
  "Django: a shop sells",
  async () => {
    const python = await pythonWith(["django==5.2.19", "httpx==0.28.1"]);
    if (python === null) return;
    const cwd = await writeRecipe("django");
    const env = { PYTHONPATH: path.resolve("sdk/python/src"), DJANGO_SETTINGS_MODULE: "site_settings" };
    const manage = async (...rest: string[]) => {
      await run(python, ["-m", "django", ...rest], { cwd, env: { ...process.env, ...recipeEnv(api, 1), ...env } });
    };
    await writeFile(path.join(cwd, "shop/__init__.py"), "");
    await writeFile(path.join(cwd, "site_settings.py"), DJANGO_SETTINGS);
    await manage("makemigrations", "shop");
    await manage("migrate");
    const command = [python, "-m", "django", "runserver", "--noreload", "PORT"] as const;
    await runShop({ command, cwd, env }, (shop) => expectShopSells(api, shop));
  },
  INSTALL_AND_RUN_MS,
);

test(
  "Laravel: a shop sells",
  async () => {
    const options = await phpWith(["php-laravel-framework", "php-guzzlehttp-guzzle"]);
    if (options === null) return;
    const cwd = await writeRecipe("laravel");
    await cp("testing/recipes/laravel", cwd, { recursive: true });
    for (const folder of ["bootstrap/cache", "database", "storage/framework/sessions", "storage/framework/views"])
      await mkdir(path.join(cwd, folder), { recursive: true });
    await writeFile(path.join(cwd, "database/database.sqlite"), "");
    const port = await freePort();
    const env = {
      APP_URL: `http://127.0.0.1:${port}`,
      APP_KEY: `base64:${randomBytes(32).toString("base64")}`,
      PHP_CLI_SERVER_WORKERS: "3",
    };
    await run("php", [...options, "artisan", "migrate", "--force"], { cwd, env: { ...process.env, ...env } });
    const command = ["php", ...options, "-S", "127.0.0.1:PORT", "public/index.php"] as const;
    await runShop({ command, cwd, env, port }, (shop) => expectShopSells(api, shop));
  },
  INSTALL_AND_RUN_MS,
);

test(
  "Telegram bot: a customer buys in a chat, and the bot confirms the payment",
  async () => {
    const cwd = await writeNodeRecipe("telegram-bot", ["grammy@1.46.0"]);
    if (cwd === null) return;
    const telegram = await startBotApi();
    const env = { BOT_TOKEN: "1:token", BOT_API: telegram.origin };
    try {
      await runShop({ command: [process.execPath, "bot.mjs"], cwd, env }, (bot) => expectBotSells(bot, telegram));
    } finally {
      await telegram.close();
    }
  },
  INSTALL_AND_RUN_MS,
);

async function expectBotSells(bot: ShopProcess, telegram: BotApi): Promise<void> {
  const ask = async (command: string, messageId: number): Promise<string> => {
    const earlier = telegram.sent.length;
    telegram.write(command, messageId);
    await expect.poll(() => telegram.sent.length, { timeout: 10_000 }).toBe(earlier + 1);
    return telegram.sent.at(-1)?.text ?? "";
  };
  const button = () => telegram.sent.at(-1)?.reply_markup?.inline_keyboard[0]?.[0]?.url ?? null;
  await ask("/buy", 7);
  const paymentUrl = button();
  await ask("/buy", 7);
  expect(button()).toBe(paymentUrl);
  const tradeId = tradeIdIn(paymentUrl);
  const order = (await api.post("/order/detail", { trade_id: tradeId })).body.data ?? {};
  await expectForgeriesRefused(api, String(order["notify_url"]), order);
  expect(await ask("/orders", 8)).toBe("tg42-7: waiting for the payment");
  await payOrder(api, tradeId);
  await deliverCallbacks(api);
  const sent = await callbackOf(api, tradeId);
  expect(await Promise.all([sendCallback(api, sent), sendCallback(api, sent)])).toEqual([200, 200]);
  expect(telegram.sent.filter(({ text }) => text === "Order tg42-7: paid. We ship your mug.")).toHaveLength(1);
  expect(await ask("/orders", 9)).toBe("tg42-7: paid");
  await expectPrintedOnce(bot, "Ship order tg42-7");
}

test(
  "Static site: a rebuilt page shows what is sold",
  async () => {
    const cwd = await writeNodeRecipe("static-site", []);
    if (cwd === null) return;
    const build = async () => {
      await run(process.execPath, ["build.mjs"], { cwd, env: { ...process.env, ...recipeEnv(api, 1) } });
      return readFile(path.join(cwd, "public/index.html"), "utf8");
    };
    const linksIn = (page: string) => [...page.matchAll(/<a href="([^"]+)"/g)].map(([, url = ""]) => url);
    const before = await build();
    expect(before).toMatch(/Harbor, linocut: .*45 USDT.*1 left.*Dunes, etching: .*20 left/);
    const [harbor = "", dunes] = linksIn(before);
    const tradeId = await openLink(api, harbor, { note: "ada@example.com" });
    expect(await build()).toContain("Harbor, linocut: Reserved");
    await payOrder(api, tradeId);
    const after = await build();
    expect(after).toContain("Harbor, linocut: Sold");
    expect(linksIn(after)).toEqual([dunes]);
    expect((await api.post("/order/detail", { trade_id: tradeId })).body.data).toMatchObject({
      amount: 45,
      metadata: { note: "ada@example.com" },
    });
    await rm(cwd, { recursive: true });
  },
  INSTALL_AND_RUN_MS,
);

test(
  "Subscription: each member gets one link a month, and a payment pays its month",
  async () => {
    const cwd = await writeNodeRecipe("subscription", ["express@5.3.0"]);
    if (cwd === null) return;
    await runShop({ command: [process.execPath, "server.mjs"], cwd }, (server) => expectMonthPaid(server, cwd));
  },
  INSTALL_AND_RUN_MS,
);

async function expectMonthPaid(server: ShopProcess, cwd: string): Promise<void> {
  const db = new DatabaseSync(path.join(cwd, "members.db"));
  db.prepare("insert into members (id, email) values (1, 'ada@example.com')").run();
  const port = Number(new URL(server.origin).port);
  const bill = async (month: string) => {
    const options = { cwd, env: { ...process.env, ...recipeEnv(api, port) } };
    return (await run(process.execPath, ["bill.mjs", month], options)).stdout;
  };
  const page = async () => (await fetch(`${server.origin}/members/1`)).text();
  const message = await bill("2026-11");
  expect(message).toMatch(/^To ada@example\.com: .* 2026-11 .*https:\/\/pay\.example\.com\/link\/\w+\n$/);
  expect(await bill("2026-11")).toBe("");
  // The program ended before it recorded the message.
  db.exec("update months set sent_at = null");
  expect(await bill("2026-11")).toBe(message);
  const tradeId = await openLink(api, /https:\S+/.exec(message)?.[0] ?? "");
  const order = (await api.post("/order/detail", { trade_id: tradeId })).body.data ?? {};
  await expectForgeriesRefused(api, String(order["notify_url"]), order);
  expect(await page()).toMatch(/2026-11: <a href/);
  await payOrder(api, tradeId);
  await deliverCallbacks(api);
  expect(await sendCallback(api, await callbackOf(api, tradeId))).toBe(200);
  expect(await page()).toContain("2026-11: paid");
  await expectPrintedOnce(server, "Extend Membership 2026-11");
  expect(await bill("2026-12")).not.toContain(/https:\S+/.exec(message)?.[0]);
  expect(await page()).toMatch(/2026-12: <a href.*2026-11: paid/);
  db.close();
}

test(
  "Go: a server that uses only the standard library sells",
  async () => {
    if (!(await canRun("go", "version"))) return;
    const cwd = await writeRecipe("go");
    expect((await run("gofmt", ["-l", "."], { cwd })).stdout).toBe("");
    await run("go", ["mod", "init", "example.com/shop"], { cwd });
    await run("go", ["vet", "."], { cwd });
    await mkdir(path.join(cwd, "paid"));
    const withoutSecret = { ...process.env, ...recipeEnv(api, 0), STABLEGATE_SECRET: "whsec_" };
    await run("go", ["build", "-o", "program", "."], { cwd });
    const program = path.join(cwd, "program");
    await expect(run(program, [], { cwd, env: withoutSecret })).rejects.toThrow("STABLEGATE_SECRET");
    await runShop({ command: [program], cwd }, (shop) => expectShopSells(api, shop));
  },
  INSTALL_AND_RUN_MS,
);
