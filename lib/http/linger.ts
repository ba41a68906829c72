import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** The limits for reading a request after its response: the time in milliseconds, and the number of bytes. */
const LINGER = { ms: 5_000, bytes: 16 * 1024 * 1024 };

/**
 * Ends a response that closes the connection once the request has been read completely or exceeds the limits. Closing earlier resets the
 * connection while the client is still writing, and the client loses the response.
 */
export function endWhenRead(incoming: IncomingMessage, outgoing: ServerResponse): void {
  let bytes = 0;
  const end = () => {
    clearTimeout(timer);
    lingerOn(incoming.socket);
    outgoing.end();
  };
  const timer = setTimeout(end, LINGER.ms);
  incoming.on("data", (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > LINGER.bytes) end();
  });
  incoming.once("end", end).once("close", end).resume();
}

const lingering = new WeakSet<Duplex>();

/**
 * Keeps an ended connection open until the client closes it too, or the time limit has passed, because the client may send more data than
 * it declared.
 * @returns false if the connection is already being kept open
 */
export function lingerOn(socket: Duplex): boolean {
  if (lingering.has(socket)) return false;
  lingering.add(socket);
  const timer = setTimeout(() => socket.destroy(), LINGER.ms);
  socket.once("close", () => clearTimeout(timer));
  // Node.js calls `destroySoon` after the last response, and does not read data that is still arriving.
  Object.assign(socket, { destroySoon: () => void socket.end() });
  return true;
}
