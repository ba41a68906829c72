import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Server as NetServer } from "node:net";
import { text } from "node:stream/consumers";
import type { Page } from "@playwright/test";
import postgres from "postgres";
import { SMTPServer } from "smtp-server";
import { freePort, Installation } from "@/e2e/world/installation";
import { createOrder, findOrder, Receiver } from "@/e2e/world/merchant";
import { openAddForm } from "@/e2e/world/office";
import { expect, test } from "@/e2e/world/scenario";
import { dialogOf, setUpApp, takeCodes } from "@/e2e/world/second-factor";
import { parseUnits } from "@/lib/domain/money";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { totpCode } from "@/lib/users/totp";
import { startEvmNode } from "@/sandbox/nodes/evm-node";
import { readMail } from "@/sandbox/post/mail";
import { openWallet } from "@/sandbox/wallets/wallet";

const TREASURY = "0x2222222222222222222222222222222222222222";
const STEP_MS = 30_000;
const secret = (name: string) => `${name}${randomBytes(12).toString("hex")}`;
const portOf = (server: Server | NetServer) => (server.address() as AddressInfo).port;

/** All secrets that must not appear in any log line. */
const known = {
  appSecret: secret("app-secret-"),
  wrongAppSecret: secret("another-app-secret-"),
  databasePassword: secret("dbpass"),
  smtpPassword: secret("smtppass"),
  rpcKey: secret("rpckey"),
  rpcQuery: secret("rpcquery"),
  rpcHeader: secret("rpcheader"),
  telegramToken: `123456789:${randomBytes(26).toString("base64url").slice(0, 35)}`,
  password: secret("correct horse "),
  wrongPassword: secret("wrong horse "),
  newPassword: secret("battery staple "),
  strangeKey: `sg_live_${randomBytes(25).toString("hex").slice(0, 49)}`,
  callbackToken: secret("calltoken"),
};

/** Starts an endpoint that refuses every call and echoes the request, as some endpoints do. */
async function startEcho(): Promise<Server> {
  const server = createServer(async (request, response) => {
    await text(request);
    const key = String(request.headers["x-node-key"]);
    response.writeHead(401).end(JSON.stringify({ error: { code: -32000, message: `no ${request.url} with ${key}` } }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

/** Starts a mail server that requires a password. It first refuses the password with a message that contains it. */
async function startMail(): Promise<{ smtp: SMTPServer; mails: ReturnType<typeof readMail>[] }> {
  const mails: ReturnType<typeof readMail>[] = [];
  let attempts = 0;
  const smtp = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      attempts += 1;
      if (attempts === 1) return done(new Error(`${password} of ${username} is not known yet`));
      done(null, { user: username });
    },
    onData: (stream, _session, done) =>
      void text(stream).then((raw) => {
        mails.push(readMail(raw));
        done();
      }),
  });
  smtp.on("error", () => {});
  smtp.listen(0, "127.0.0.1");
  await once(smtp.server, "listening");
  return { smtp, mails };
}

/** Starts a Telegram API server that refuses requests with a message that contains the token. */
async function startTelegram(): Promise<Server> {
  const server = createServer(async (request, response) => {
    await text(request);
    response.writeHead(404, { "content-type": "application/json" });
    response.end(JSON.stringify({ ok: false, error_code: 404, description: `Not Found: ${request.url}` }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

async function signIn(page: Page, url: string, password: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel("Email").fill("owner@example.com");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("no log line contains a secret, and lines are found by request and by order", async ({
  page,
  context,
  sandbox,
}) => {
  test.setTimeout(420_000);
  const ethereum = getNetwork("ethereum");
  const [node, echo, telegram, { smtp, mails }, shop] = await Promise.all([
    startEvmNode(ethereum, { blockMs: 250 }),
    startEcho(),
    startTelegram(),
    startMail(),
    Receiver.open(),
  ]);
  const admin = postgres(sandbox.database_url, { max: 1, onnotice: () => {} });
  const name = `logs_${randomBytes(6).toString("hex")}`;
  await admin.unsafe(`create role ${name} login superuser password '${known.databasePassword}'`);
  await admin.unsafe(`create database ${name} owner ${name}`);
  const database = new URL(sandbox.database_url);
  Object.assign(database, { username: name, password: known.databasePassword, pathname: `/${name}` });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    DATABASE_URL: database.href,
    APP_SECRET: known.appSecret,
    PUBLIC_URL: url,
    PORT: `${port}`,
    HOST: "127.0.0.1",
    LOG_LEVEL: "trace",
    CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
    IDLE_READING: "always",
    // The node is listed twice, because finality is checked with a second endpoint.
    ETHEREUM_RPC_URLS: `http://127.0.0.1:${portOf(echo)}/v3/${known.rpcKey},${node.url},${node.url}/?key=${known.rpcQuery}`,
    ETHEREUM_RPC_HEADERS: JSON.stringify({ "X-Node-Key": known.rpcHeader }),
    SMTP_URL: `smtp://mailer:${known.smtpPassword}@127.0.0.1:${portOf(smtp.server)}`,
    MAIL_FROM: "Stablegate <pay@example.com>",
    TELEGRAM_API_URL: `http://127.0.0.1:${portOf(telegram)}`,
  };
  const programs = new Installation();
  const secrets: Record<string, string> = { ...known };
  try {
    await once(programs.start("migrate", settings), "exit");
    programs.start("web", settings);
    programs.start("worker", settings);
    const [, code = ""] = await programs.waitForOutput(/enter the set-up code ([^\s"]+)/);

    await page.goto(`${url}/register`);
    await page.getByLabel("Set-up code").fill(code);
    await page.getByLabel("Shop name").fill("Corner shop");
    await page.getByLabel("Email").fill("owner@example.com");
    await page.getByLabel("Password").fill(known.password);
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page).toHaveURL(/\/dashboard/);
    await page.goto(`${url}/dashboard/settings/security`);
    secrets["totpSecret"] = await setUpApp(page, known.password);
    const codes = await takeCodes(page);
    codes.forEach((each, index) => {
      secrets[`recovery code ${index + 1}`] = each;
    });
    const session = async () => {
      const cookie = (await context.cookies()).find(({ name: its }) => its.endsWith("session-token"));
      return cookie?.value ?? "";
    };
    secrets["firstSession"] = await session();

    await context.clearCookies();
    await signIn(page, url, known.wrongPassword);
    await expect(page.getByRole("alert").first()).toContainText("is incorrect");
    await signIn(page, url, known.password);
    const step = page.getByLabel("Authentication code");
    await step.fill("000000");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText("This code is wrong")).toBeVisible();
    await step.fill(totpCode(secrets["totpSecret"], new Date(Date.now() + STEP_MS)));
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page).toHaveURL(/\/dashboard/);
    secrets["session"] = await session();

    const confirm = async (at: number) => {
      await dialogOf(page).getByLabel("Your password").fill(known.password);
      await dialogOf(page)
        .getByLabel("Authentication code")
        .fill(codes[at] ?? "");
    };
    await page.goto(`${url}/dashboard/settings/api-keys`);
    await page.getByRole("button", { name: "Create API key" }).click();
    await dialogOf(page).getByLabel("Name").fill("Shop");
    await confirm(0);
    await dialogOf(page).getByRole("button", { name: "Create", exact: true }).click();
    const apiKey =
      (await page
        .getByText(/^sg_live_[0-9A-Za-z]{49}$/)
        .first()
        .textContent()) ?? "";
    secrets["apiKey"] = apiKey;
    secrets["apiSecret"] = (
      (await page
        .getByText(/^whsec_[0-9A-Za-z+/=]+$/)
        .first()
        .textContent()) ?? ""
    ).slice(6);
    await page.goto(`${url}/dashboard/settings/addresses`);
    await openAddForm(page, "shared");
    await dialogOf(page).getByLabel("Address", { exact: true }).fill(TREASURY);
    await dialogOf(page).getByLabel("Enter the address again").fill(TREASURY);
    await confirm(1);
    await dialogOf(page).getByRole("button", { name: "Add address" }).click();
    await expect(dialogOf(page)).toHaveCount(0);
    await page.goto(`${url}/dashboard/settings/notifications`);
    await page.getByRole("button", { name: "Add channel" }).first().click();
    await dialogOf(page).locator("select[name=way]").selectOption("telegram");
    await dialogOf(page).getByLabel("Bot token").fill(known.telegramToken);
    await dialogOf(page).getByLabel("Chat id").fill("123456789");
    await confirm(2);
    await dialogOf(page).getByRole("button", { name: "Send code" }).click();
    await expect(
      dialogOf(page)
        .getByText(/Telegram/)
        .first(),
    ).toBeVisible();

    const own = { base_url: url, api_key: apiKey };
    const strange = await fetch(`${url}/api/v1/pay/sdk/order/add?key=${known.strangeKey}`, {
      method: "POST",
      headers: { "x-api-key": known.strangeKey, authorization: `Bearer ${known.strangeKey}` },
      body: JSON.stringify({ api_key: known.strangeKey }),
    });
    expect(strange.status).toBe(401);
    const requestId = strange.headers.get("x-request-id") ?? "";
    const wallet = await openWallet(node.url);
    const { contract, decimals } = getToken(ethereum, "USDT");
    const buy = async (amount: number) => {
      const notify = `${shop.url}?token=${known.callbackToken}`;
      const order = await createOrder(own, { network: "ethereum", currency: "USDT", amount, notify_url: notify });
      const baseUnits = parseUnits(String(order.actual_amount), decimals) ?? 0n;
      await wallet.transfer({ contract, to: TREASURY, baseUnits });
      await expect.poll(async () => (await findOrder(own, order.trade_id)).status).toBe("paid");
      return order.trade_id;
    };
    const reported = (tradeId: string, msg: string) => new RegExp(`"tradeId":"${tradeId}"[^\\n]*"msg":"${msg}"`);
    shop.status = 500;
    const refused = await buy(5);
    await programs.waitForOutput(reported(refused, "a callback was not acknowledged"));
    shop.status = 200;
    const bought = await buy(6);
    await programs.waitForOutput(reported(bought, "a callback was delivered"));

    await context.clearCookies();
    await page.goto(`${url}/forgot`);
    await page.getByLabel("Email").fill("owner@example.com");
    await page.getByRole("button", { name: "Send link" }).click();
    const link = () => mails.map((mail) => /https?:\/\/\S+\/reset\/[\w-]{43}/.exec(mail.text)?.[0]).find(Boolean);
    await expect.poll(link, { timeout: 120_000 }).toBeTruthy();
    secrets["resetToken"] = link()?.split("/").at(-1) ?? "";
    await page.goto(link() ?? "");
    await page.getByLabel("New password").fill(known.newPassword);
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(page.getByText("Your password was changed")).toBeVisible();

    await programs.stop("worker");
    programs.start("worker", { ...settings, APP_SECRET: known.wrongAppSecret });
    await programs.waitForOutput(/APP_SECRET is not the secret of this installation/);
    await programs.stop();
    const invalid = new URL(database);
    invalid.pathname = "/there_is_no_such_database";
    programs.start("worker", { ...settings, DATABASE_URL: invalid.href });
    await programs.waitForOutput(/The database refuses the connection/);
    await programs.stop();
    const away = new URL(database);
    away.port = `${await freePort()}`;
    programs.start("worker", { ...settings, DATABASE_URL: away.href });
    await programs.waitForOutput(/the database is unavailable; retrying every second/);
    await programs.stop();

    const output = programs.output();
    const leaks = Object.entries(secrets).flatMap(([what, value]) => {
      expect(value.length, what).toBeGreaterThan(15);
      const form = formsOf(value).find((each) => output.includes(each));
      return form ? [`${what}: ${output.split("\n").find((line) => line.includes(form))}`] : [];
    });
    expect(leaks).toEqual([]);
    expect(output).toContain(`"requestId":"${requestId}"`);
    const lines = output.split("\n").filter((line) => line.startsWith("{"));
    expect(lines.length).toBeGreaterThan(100);
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const { msg, requestId: id } of parsed.filter(({ msg: its }) => its === "request"))
      expect(String(id), String(msg)).toMatch(/^[0-9a-z]{28}$/);
    for (const tradeId of [refused, bought])
      expect(parsed.some((line) => line["msg"] === "request" && line["tradeId"] === tradeId)).toBe(true);
    const endpoint = parsed.filter(({ msg }) => msg === "an endpoint gave an invalid response");
    expect(endpoint.length).toBeGreaterThan(0);
    for (const line of endpoint) expect(line["network"]).toBe("ethereum");
  } finally {
    await programs.stop();
    for (const server of [echo, telegram]) server.close();
    await Promise.all([new Promise<void>((resolve) => smtp.close(() => resolve())), shop.close(), node.stop()]);
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.unsafe(`drop role if exists ${name}`);
    await admin.end();
  }
});

/** Returns the forms in which a secret could appear in a line: unchanged, in a URL, in JSON, and in other encodings. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const others = [bytes.toString("hex"), bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
  return [...new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), ...others])];
}
