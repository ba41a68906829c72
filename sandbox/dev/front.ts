import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A listening port whose connections go to the latest version of the web process. */
export interface Front {
  port: number;
  /** Sends connections that wait, and those that arrive from now on, to a port of this machine. */
  forwardTo(port: number): void;
  /** Lets connections that arrive from now on wait for the next `forwardTo`; open ones have a second to finish. */
  hold(): void;
  close(): void;
}

/** A browser may keep a connection open on which it requests nothing, and a closing server would wait for it. */
const FINISH_MS = 1_000;

/**
 * Opens a port that stays open while versions behind it change, so that no connection is refused between two of them.
 * @throws Error where the port is in use
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
    // A connection that fails closes, and closes the other half with it.
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
