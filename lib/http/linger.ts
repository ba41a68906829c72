import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** The time and the number of bytes for which a request is still read after its response. */
const LINGER = { ms: 5_000, bytes: 16 * 1024 * 1024 };

/**
 * Ends an answer that closes the connection when the rest of the request has been read, or has become too much: closing before
 * resets the connection under a client that is still writing, and it loses the answer that is already there.
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
 * Closes a connection, once it is ended, only when the client has closed it too, or has sent for too long: more than it announced may
 * be on its way.
 * @returns false where this was asked for before
 */
export function lingerOn(socket: Duplex): boolean {
  if (lingering.has(socket)) return false;
  lingering.add(socket);
  const timer = setTimeout(() => socket.destroy(), LINGER.ms);
  socket.once("close", () => clearTimeout(timer));
  // Node asks for this after the last answer, and does not read what is still coming.
  Object.assign(socket, { destroySoon: () => void socket.end() });
  return true;
}
