import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { text } from "node:stream/consumers";

/** A request that a shop received. */
export interface Visit {
  method: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** The body, exactly as received. */
  body: string;
}

type Handler = (visit: Visit) => { type?: string; status?: number; body: string };

/** A shop's website on loopback, with the pages of a test. */
export class LocalShop {
  readonly url: string;
  readonly #server: Server;
  readonly #handlers: Readonly<Record<string, Handler>>;

  private constructor(server: Server, url: string, handlers: Readonly<Record<string, Handler>>) {
    this.#server = server;
    this.url = url;
    this.#handlers = handlers;
  }

  /**
   * Opens a shop's website on loopback.
   * @param handlers the handlers by path; a response has status 200 unless it specifies a different one, as in common shop systems
   */
  static async open(handlers: Readonly<Record<string, Handler>>): Promise<LocalShop> {
    const server = createServer();
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    if (!address || typeof address === "string") throw new Error("no port");
    const shop = new LocalShop(server, `http://127.0.0.1:${address.port}`, handlers);
    server.on("request", async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", shop.url);
      const visit = {
        method: request.method ?? "",
        query: Object.fromEntries(searchParams),
        headers: request.headers,
        body: await text(request),
      };
      const answer = shop.#handlers[pathname]?.(visit);
      response.writeHead(answer ? (answer.status ?? 200) : 404, {
        "content-type": answer?.type ?? "text/plain; charset=utf-8",
      });
      response.end(answer?.body ?? "");
    });
    return shop;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
