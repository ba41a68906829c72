import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A listening port whose connections go to the latest version of the web process. */
export interface Front {
  port: number;
  /** Forwards waiting and future connections to a port of this machine. */
  forwardTo(port: number): void;
  /** Holds new connections until the next `forwardTo`. Open connections have a second to finish. */
  hold(): void;
  close(): void;
}

/** The time for open connections to finish. A browser may leave an unused connection open, and a closing server would wait for it. */
const FINISH_MS = 1_000;

/**
 * Opens a port that stays open while versions behind it change, so that no connection is refused between two versions.
 * @throws Error if the port is in use
 */
export async function openFront({ host, port }: { host: string; port: number }): Promise<Front> {
  const sockets = new Set<Socket>();
  const piped = new Set<Socket>();
  let target = Promise.withResolvers<number>();
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    track(socket);
    const upstream = track(connect({ host: "127.0.0.1", port: await target.promise, allowHalfOpen: true }));
    socket.pipe(upstream).pipe(socket);
    piped.add(upstream);
    socket.once("close", () => upstream.destroy());
    upstream.once("close", () => {
      piped.delete(upstream);
      socket.destroy();
    });
  });

  function track(socket: Socket): Socket {
    sockets.add(socket);
    // A failed connection closes, and closes its other half as well.
    socket.on("error", () => {});
    return socket.once("close", () => sockets.delete(socket));
  }

  server.listen(port, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    forwardTo: (next) => target.resolve(next),
    hold() {
      target = Promise.withResolvers();
      const open = [...piped];
      setTimeout(() => open.forEach((socket) => void socket.destroy()), FINISH_MS).unref();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
