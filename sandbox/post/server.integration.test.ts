import { createTransport } from "nodemailer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Post, startPost } from "@/sandbox/post/server";

let post: Post;
beforeAll(async () => {
  post = await startPost(() => new Date("2026-03-10T12:00:00Z"));
});
afterAll(() => post.close());

test("what arrived is shown as text and as the HTML that it is, which runs nothing", async () => {
  const transport = createTransport(`${post.smtpUrl}?ignoreTLS=true`);
  const html = "<p>Paid</p><script>alert(1)</script>";
  await transport.sendMail({
    from: "pay@example.com",
    to: "ann@example.com",
    subject: "<b>Paid</b>",
    text: "Order 7 & more",
    html,
    messageId: "<one@example.com>",
  });
  transport.close();
  const list = await (await fetch(post.url)).text();
  expect(list).toContain("&lt;b&gt;Paid&lt;/b&gt;");
  expect(list).toContain("Order 7 &amp; more");
  expect(list).not.toContain("<script>alert");
  const href = /href="(\/mail\/[^"]+)"/.exec(list)?.[1] ?? "";
  const shown = await fetch(post.url + href);
  expect(shown.headers.get("content-security-policy")).toMatch(/default-src 'none'.*sandbox/);
  expect(await shown.text()).toContain("<p>Paid</p>");
  expect((await fetch(`${post.url}/mail/another`)).status).toBe(404);
  expect(await (await fetch(`${post.url}/messages`)).json()).toMatchObject([
    { way: "mail", mail: { to: "ann@example.com" } },
  ]);
});

test("the stand-in for Telegram accepts the same requests and returns the same errors", async () => {
  const send = (body: object) =>
    fetch(`${post.telegramUrl}/bot1:abc/sendMessage`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect((await send({ chat_id: "47", text: "Paid" })).status).toBe(200);
  expect(await (await send({ chat_id: "47" })).json()).toMatchObject({ ok: false, error_code: 400 });
  expect(await (await fetch(post.url)).text()).toContain("Telegram, chat 47");
});
