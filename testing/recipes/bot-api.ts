import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A message that the bot sent. */
interface SentMessage {
  chat_id: number;
  text: string;
  reply_markup?: { inline_keyboard: { text: string; url: string }[][] };
}

/** The part of Telegram's Bot API that a bot with long polling uses (https://core.telegram.org/bots/api), for one chat. */
export interface BotApi {
  readonly origin: string;
  /** The messages of the bot, in order. */
  readonly sent: readonly SentMessage[];
  /** Sends a command of the customer to the bot. A repeated message number is an update that Telegram sends again. */
  write(command: string, messageId: number): void;
  close(): Promise<void>;
}

const CHAT = { id: 42, type: "private", first_name: "Ada" };
const BOT = { id: 1, is_bot: true, first_name: "Shop", username: "shop_bot" };

/** Starts a Bot API on loopback. */
export async function startBotApi(): Promise<BotApi> {
  const updates: { update_id: number; message: object }[] = [];
  const sent: SentMessage[] = [];
  const arrivals = new EventEmitter();
  const abort = new AbortController();

  async function answer(method: string, request: IncomingMessage): Promise<unknown> {
    const body = (await json(request)) as SentMessage & { offset?: number };
    if (method === "getMe") return BOT;
    if (method === "getUpdates") {
      const pending = () => updates.filter(({ update_id }) => update_id >= (body.offset ?? 0));
      if (pending().length === 0) await once(arrivals, "update", { signal: abort.signal });
      return pending();
    }
    if (method !== "sendMessage") return true;
    sent.push(body);
    return { message_id: 1_000 + sent.length, date: 0, chat: CHAT, text: body.text };
  }

  const server = createServer(async (request, response) => {
    try {
      const result = await answer(/\/bot[^/]+\/(\w+)$/.exec(request.url ?? "")?.[1] ?? "", request);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ok: true, result }));
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    write(command, messageId) {
      const entities = [{ type: "bot_command", offset: 0, length: command.length }];
      const message = { message_id: messageId, date: 0, chat: CHAT, from: CHAT, text: command, entities };
      updates.push({ update_id: updates.length + 1, message });
      arrivals.emit("update");
    },
    close() {
      abort.abort();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
