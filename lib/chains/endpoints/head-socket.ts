import type { RawData, WebSocket } from "ws";
import * as z from "zod";
import { type HeadSubscription, withoutCredentials } from "@/lib/chains/endpoints/rpc";
import { hideSecrets, secretsOfUrl } from "@/lib/domain/keys/hide-secrets";

/**
 * A change of a socket's state. `subscribed`: the node accepted the subscription; `refused`: it rejected it; `flooded`: it sent more than any
 * chain needs; `silent`: it stopped sending; `lost`: the connection failed or ended.
 */
export type SocketEvent = "subscribed" | "refused" | "flooded" | "silent" | "lost";

export interface HeadSocketOptions {
  url: string;
  /** The headers of the handshake, which contain secrets. */
  headers: Readonly<Record<string, string>>;
  heads: HeadSubscription;
  /** Called for each notification. @param height null if the notification contains none */
  onHead: (height: number | null) => void;
  /** Called for each change of state. @param detail a description without secrets */
  onEvent: (event: SocketEvent, detail: string) => void;
  /** The time without a notification after which the connection counts as lost. */
  silentMs?: number;
}

/** A connection that announces new heads, and is renewed after a failure until it is closed. */
export interface HeadSocket {
  /** Returns true if the node accepted the subscription, and the connection is open. */
  isSubscribed(): boolean;
  close(): void;
}

const HANDSHAKE_MS = 10_000;
const SILENT_MS = 90_000;
/** The maximum size of a message. A header with its bloom filter has two kilobytes, with a list of validators some more. */
const MAX_BYTES = 32 * 1024;
/** The maximum number and size of messages within a second. The fastest chains announce ten blocks. */
const MAX_PER_SECOND = { messages: 50, bytes: 256 * 1024 };
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;
/** The errors of messages that exceed the limits of size, or of the number of their parts. */
const TOO_LARGE = new Set(["WS_ERR_UNSUPPORTED_MESSAGE_LENGTH", "WS_ERR_TOO_MANY_BUFFERED_PARTS"]);
/** The waits after a refusal or a flood, which a new connection is unlikely to change. */
const FIRST_REFUSAL_MS = 300_000;
const LONGEST_REFUSAL_MS = 3_600_000;
/** The duration of a subscription after which the next failure counts as the first. */
const STEADY_MS = 60_000;
const ID = 1;

const Message = z.object({
  id: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
});

/** The reason why a connection ended. */
interface Ended {
  event: SocketEvent;
  detail: string;
}

/** Ends a connection for a reason. */
type Finish = (event: SocketEvent, detail: string) => void;

/**
 * Subscribes to the new heads of a node. Nothing that the node sends is used as data: a notification is only a reason to query the
 * endpoints. A message that is too large, and too many messages or pings, end the connection.
 */
export function openHeadSocket(options: HeadSocketOptions): HeadSocket {
  const socket = new RenewedSocket(options);
  return { isSubscribed: () => socket.isSubscribed, close: () => socket.close() };
}

class RenewedSocket {
  readonly #options: HeadSocketOptions;
  #socket: WebSocket | null = null;
  #isClosed = false;
  #subscribedAt: number | null = null;
  #failures = 0;
  #refusals = 0;
  #timer: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  #counted = { second: 0, messages: 0, bytes: 0 };

  constructor(options: HeadSocketOptions) {
    this.#options = options;
    void this.#connect();
  }

  get isSubscribed(): boolean {
    return this.#subscribedAt !== null;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    this.#subscribedAt = null;
    this.#socket?.terminate();
  }

  /** Never rejects: an error before the connection counts as a lost connection. */
  async #connect(): Promise<void> {
    try {
      await this.#open();
    } catch (error) {
      this.#renew({ event: "lost", detail: String(error) });
    }
  }

  async #open(): Promise<void> {
    // Loaded only by installations that use sockets.
    const { WebSocket } = await import("ws");
    if (this.#isClosed) return;
    const { url, headers, heads } = this.#options;
    const target = withoutCredentials(url);
    const socket = new WebSocket(target.href, {
      headers: { ...headers, ...target.headers },
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_BYTES,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    let ended: Ended = { event: "lost", detail: "the connection ended" };
    const finish: Finish = (event, detail) => {
      ended = { event, detail };
      socket.terminate();
    };
    socket.on("open", () => {
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: ID, ...heads.subscribe }));
      this.#expectMore(finish);
    });
    socket.on("message", (data) => this.#receive(data, finish));
    // Each ping is answered with its content, so that pings could fill the memory if the node does not read the answers.
    for (const frame of ["ping", "pong"]) socket.on(frame, (data: Buffer) => this.#count(data.length, finish));
    socket.on("error", (error) => {
      const isTooLarge = "code" in error && TOO_LARGE.has(String(error.code));
      if (ended.event === "lost") ended = { event: isTooLarge ? "flooded" : "lost", detail: error.message };
    });
    socket.once("close", () => this.#renew(ended));
  }

  #receive(data: RawData, finish: Finish): void {
    const text = String(data);
    // Messages that had arrived already are still passed on after the end of a connection.
    if (this.#isClosed || !this.#count(text.length, finish)) return;
    this.#handle(readMessage(text), finish);
  }

  /** Counts a message or control frame. Ends the connection and returns false if there were too many within a second. */
  #count(size: number, finish: Finish): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (this.#counted.second !== second) this.#counted = { second, messages: 0, bytes: 0 };
    const messages = this.#counted.messages + 1;
    const bytes = this.#counted.bytes + size;
    this.#counted = { second, messages, bytes };
    if (messages <= MAX_PER_SECOND.messages && bytes <= MAX_PER_SECOND.bytes) return true;
    finish("flooded", "more messages a second than any chain needs");
    return false;
  }

  #handle({ id, result, error, method, params }: z.infer<typeof Message>, finish: Finish): void {
    const { heads, onHead, onEvent } = this.#options;
    if (id === ID && error != null) {
      finish("refused", JSON.stringify(error));
    } else if (id === ID && result != null && this.#subscribedAt === null) {
      this.#subscribedAt = performance.now();
      onEvent("subscribed", "");
    } else if (method === heads.notification && this.#subscribedAt !== null) {
      this.#expectMore(finish);
      onHead(heads.heightOf(params));
    }
  }

  #expectMore(finish: Finish): void {
    const { silentMs = SILENT_MS } = this.#options;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(
      () => finish("silent", `no notification within ${silentMs / 1_000} s`),
      silentMs,
    ).unref();
  }

  #renew({ event, detail }: Ended): void {
    clearTimeout(this.#silence);
    if (this.#isClosed) return;
    const { url, headers, onEvent } = this.#options;
    const isSteady = this.#subscribedAt !== null && performance.now() - this.#subscribedAt >= STEADY_MS;
    this.#subscribedAt = null;
    const waitMs = this.#waitMs(event, isSteady);
    onEvent(event, hideSecrets(detail, [...secretsOfUrl(url), ...Object.values(headers)]).slice(0, 200));
    // Different networks of one provider must not connect again at the same time.
    this.#timer = setTimeout(() => void this.#connect(), waitMs * (0.75 + Math.random() / 2)).unref();
  }

  #waitMs(event: SocketEvent, isSteady: boolean): number {
    if (event === "refused" || event === "flooded")
      return Math.min(LONGEST_REFUSAL_MS, FIRST_REFUSAL_MS * 2 ** Math.min(this.#refusals++, 10));
    if (isSteady) [this.#failures, this.#refusals] = [0, 0];
    return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.#failures++, 10));
  }
}

function readMessage(text: string): z.infer<typeof Message> {
  try {
    return Message.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}
