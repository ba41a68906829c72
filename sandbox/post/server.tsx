/** @jsxImportSource hono/jsx */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { SMTPServer } from "smtp-server";
import * as z from "zod";
import { readMail } from "@/sandbox/post/mail";
import { type Arrived, PostPage } from "@/sandbox/post/page";

export interface Post {
  /** The URL of the page that shows the received messages; `/messages` returns them as JSON. */
  url: string;
  /** The value of SMTP_URL that sends emails to this server. */
  smtpUrl: string;
  /** The value of TELEGRAM_API_URL: this server replaces Telegram's HTTP API. */
  telegramUrl: string;
  /** The URL of a webhook that accepts any JSON. */
  webhookUrl: string;
  /** The received messages, oldest first. */
  arrived: readonly Arrived[];
  /** Sets whether the mail server refuses every email. */
  refuseMail(isRefusing: boolean): void;
  close(): Promise<void>;
}

const MAX_BYTES = 256 * 1024;
/** The maximum number of stored messages. Older ones are deleted. */
const MAX_KEPT = 500;
const TelegramMessage = z.object({ chat_id: z.coerce.string(), text: z.string() });

/** Starts a real SMTP server and a stand-in for Telegram's HTTP API on free loopback ports. Both store received messages in memory. */
export async function startPost(now: () => Date): Promise<Post> {
  const arrived: Arrived[] = [];
  const keep = (one: Arrived) => {
    arrived.push(one);
    if (arrived.length > MAX_KEPT) arrived.shift();
  };
  const mail = { isRefusing: false };
  const smtp = startSmtp(keep, mail, now);
  const app = new Hono();
  app.use(bodyLimit({ maxSize: MAX_BYTES }));
  addPages(app, arrived);
  addChats(app, keep, now);
  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(0, "127.0.0.1");
  smtp.listen(0, "127.0.0.1");
  await Promise.all([once(server, "listening"), once(smtp.server, "listening")]);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    telegramUrl: `${url}/telegram`,
    webhookUrl: `${url}/webhook`,
    arrived,
    smtpUrl: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    refuseMail(isRefusing) {
      mail.isRefusing = isRefusing;
    },
    async close() {
      if ("closeAllConnections" in server) server.closeAllConnections();
      server.close();
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
    },
  };
}

function startSmtp(keep: (one: Arrived) => void, mail: { isRefusing: boolean }, now: () => Date): SMTPServer {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    size: MAX_BYTES,
    logger: false,
    onMailFrom(_address, _session, done) {
      done(mail.isRefusing ? Object.assign(new Error("Try again later"), { responseCode: 451 }) : null);
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        keep({ way: "mail", at: now().toISOString(), mail: readMail(Buffer.concat(chunks).toString("utf8")) });
        done();
      });
    },
  });
  // A client that disconnects early must not end the process.
  smtp.on("error", () => {});
  return smtp;
}

function addChats(app: Hono, keep: (one: Arrived) => void, now: () => Date): void {
  app.post("/telegram/:bot{bot[0-9]+:[A-Za-z0-9_-]+}/sendMessage", async (c) => {
    const message = TelegramMessage.safeParse(await c.req.json().catch(() => null));
    if (!message.success)
      return c.json({ ok: false, error_code: 400, description: "Bad Request: message text is empty" }, 400);
    const { chat_id: chat, text } = message.data;
    if (chat.startsWith("0"))
      return c.json({ ok: false, error_code: 400, description: "Bad Request: chat not found" }, 400);
    keep({ way: "telegram", at: now().toISOString(), chat, text });
    return c.json({ ok: true, result: { message_id: 1, chat: { id: chat }, text } });
  });
  app.post("/webhook", async (c) => {
    const body: unknown = await c.req.json().catch(() => null);
    keep({ way: "webhook", at: now().toISOString(), body });
    return c.json({ ok: true });
  });
}

function addPages(app: Hono, arrived: readonly Arrived[]): void {
  app.get("/", (c) => c.html(<PostPage arrived={arrived} />));
  app.get("/messages", (c) => c.json(arrived));
  app.get("/mail/:id", (c) => {
    const found = arrived.find((one) => one.way === "mail" && one.mail.messageId === c.req.param("id"));
    if (found?.way !== "mail") return c.text("No such email", 404);
    // The received email is displayed, but cannot run scripts.
    c.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups");
    return c.html(found.mail.html || "<p>This email has no HTML</p>");
  });
}
