import { mkdtemp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { startPost } from "@/sandbox/post/server";
import { useTestDb } from "@/testing/database/clone";
import { useWebs, useWorkers } from "@/testing/watch/worker";

const PATIENCE = { timeout: 60_000, interval: 50 };
const testDb = useTestDb();
const webs = useWebs();
const workers = useWorkers();

test.each(["web", "worker"] as const)(
  "a %s process alone alerts the operator by mail and in Telegram",
  async (role) => {
    const post = await startPost(() => new Date());
    const dumps = await mkdtemp(path.join(tmpdir(), "stablegate-no-dumps-"));
    try {
      // Both conditions were detected an hour ago, so that the test does not have to wait until they have lasted long enough.
      await testDb.pool.db.execute(
        sql`truncate cursors, operator_alerts, operator_messages, operator_rounds, machine_reports`,
      );
      await testDb.pool.db.execute(sql`insert into operator_alerts (condition, subject, found_at) values
      ('networkUnread', 'ethereum', now() - interval '1 hour'), ('dumpOld', ${hostname()}, now() - interval '1 hour')`);
      const settings = {
        DATABASE_URL: testDb.url,
        HOST: "127.0.0.1",
        PORT: "0",
        ETHEREUM_RPC_URLS: "http://127.0.0.1:9",
        SMTP_URL: post.smtpUrl,
        MAIL_FROM: "Pay <pay@example.com>",
        OPERATOR_EMAIL: "operator@example.com",
        TELEGRAM_API_URL: post.telegramUrl,
        CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
        DUMP_FOLDER: dumps,
        OPERATOR_TELEGRAM_TOKEN: "123456:ABCDEFGHIJKLMN",
        OPERATOR_TELEGRAM_CHAT_ID: "-1001",
      };
      const process = (role === "web" ? webs : workers).start(settings);
      const mails = () => post.arrived.flatMap((one) => (one.way === "mail" ? [one.mail.subject] : []));
      const expected = `Alert: There is no dump on ${hostname()}`;
      await vi.waitUntil(() => mails().includes(expected) && post.arrived.some(({ way }) => way !== "mail"), PATIENCE);
      // Only a web process detects that no worker reads the network. A worker does not detect this, because it reads the network itself or
      // is about to.
      if (role === "web") await vi.waitUntil(() => mails().includes("Alert: No worker reads ethereum"), PATIENCE);
      expect(process.output()).not.toContain("ABCDEFGHIJKLMN");
      expect(mails().filter((subject) => subject === expected)).toHaveLength(1);
    } finally {
      await Promise.all([post.close(), rm(dumps, { recursive: true })]);
    }
  },
);
