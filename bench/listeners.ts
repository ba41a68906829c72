import { connect, type Socket } from "node:net";

/** The number of connections that are opened at a time. */
export const OPEN_CONCURRENCY = 200;

/** Open event streams, one per order. */
export class Listeners {
  readonly #port: number;
  readonly #sockets: Socket[] = [];
  #awaited = "";
  #missing = 0;
  #done = () => {};

  constructor(port: number) {
    this.#port = port;
  }

  /** Opens a stream for each order. Resolves when all streams are open. */
  async open(ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += OPEN_CONCURRENCY) {
      await Promise.all(ids.slice(start, start + OPEN_CONCURRENCY).map((id) => this.#openOne(id)));
    }
  }

  /** Resolves when every stream has sent this version. */
  listen(version: number): Promise<void> {
    this.#awaited = `data: ${version}\n`;
    this.#missing = this.#sockets.length;
    return new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  /** The number of open streams. */
  get held(): number {
    return this.#sockets.filter(({ destroyed, readable }) => !destroyed && readable).length;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #openOne(id: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#port, "127.0.0.1").setEncoding("latin1").on("error", reject);
      socket.write(`GET /api/pay/${id}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n`);
      let isOpen = false;
      socket.on("data", (text: string) => {
        if (isOpen) return this.#received(text);
        if (!text.startsWith("HTTP/1.1 200 ")) return reject(new Error(text));
        isOpen = true;
        resolve();
      });
      this.#sockets.push(socket);
    });
  }

  #received(text: string): void {
    if (this.#awaited && text.includes(this.#awaited) && --this.#missing === 0) this.#done();
  }
}
