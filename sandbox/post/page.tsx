/** @jsxImportSource hono/jsx */
import { raw } from "hono/html";
import type { Mail } from "@/sandbox/post/mail";

/** A message received by the sandbox's mail server, its Telegram server or its webhook. */
export type Arrived =
  | { way: "mail"; at: string; mail: Mail }
  | { way: "telegram"; at: string; chat: string; text: string }
  | { way: "webhook"; at: string; body: unknown };

const STYLE = `
:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{max-width:720px;margin:0 auto;padding:24px 16px}
article{border:1px solid color-mix(in srgb,currentColor 20%,transparent);border-radius:10px;padding:12px 16px;margin:12px 0}
header{display:flex;flex-wrap:wrap;gap:4px 12px;font-size:13px;opacity:.75}
h2{font-size:16px;margin:6px 0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:6px 0}
`;

/** Renders the page with the received messages, newest first. */
export function PostPage({ arrived }: { arrived: readonly Arrived[] }) {
  return (
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <meta http-equiv="refresh" content="5" />
      <title>Received messages</title>
      <style>{raw(STYLE)}</style>
      <body>
        <h1>Received messages</h1>
        <p>Emails, Telegram messages and webhooks from the sandbox are delivered here; nothing leaves this machine.</p>
        {arrived.length === 0 ? <p>No messages yet. Add a channel under Settings → Notifications.</p> : null}
        {arrived.toReversed().map((one) => (
          <Item key={one.at} one={one} />
        ))}
      </body>
    </html>
  );
}

function Item({ one }: { one: Arrived }) {
  if (one.way === "mail")
    return (
      <article>
        <header>
          <span>Mail</span>
          <span>to {one.mail.to}</span>
          <time>{one.at}</time>
          <a href={`/mail/${encodeURIComponent(one.mail.messageId)}`}>as HTML</a>
        </header>
        <h2>{one.mail.subject}</h2>
        <pre>{one.mail.text}</pre>
      </article>
    );
  const [name, text] =
    one.way === "telegram" ? [`Telegram, chat ${one.chat}`, one.text] : ["Webhook", JSON.stringify(one.body, null, 2)];
  return (
    <article>
      <header>
        <span>{name}</span>
        <time>{one.at}</time>
      </header>
      <pre>{text}</pre>
    </article>
  );
}
