import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { Duplex } from "node:stream";

export interface TextSocket {
  send(text: string): void;
  onClose(run: () => void): void;
}

export interface WebSocketServer {
  close(): Promise<void>;
}

/** The GUID of the handshake (RFC 6455). */
const HANDSHAKE = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const OPCODE = { text: 1, close: 8, ping: 9, pong: 10 };
const MAX_BYTES = 1024 * 1024;

/**
 * Serves WebSockets with text messages on a loopback port. `accept` receives each new socket and returns the handler of its messages.
 * Messages in several frames are not supported.
 * @throws Error if the port is in use
 */
export async function serveWebSockets(
  port: number,
  accept: (socket: TextSocket) => (text: string) => void,
): Promise<WebSocketServer> {
  const open = new Set<Duplex>();
  const server = createServer((_, response) => response.writeHead(426).end());
  server.on("upgrade", (request, stream: Duplex) => {
    const key = request.headers["sec-websocket-key"];
    if (!key) return stream.destroy();
    const proof = createHash("sha1").update(`${key}${HANDSHAKE}`).digest("base64");
    stream.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${proof}\r\n\r\n`,
    );
    open.add(stream);
    stream.on("error", () => stream.destroy()).on("close", () => open.delete(stream));
    const onMessage = accept({
      send: (text) => stream.write(frame(OPCODE.text, Buffer.from(text))),
      onClose: (run) => stream.on("close", run),
    });
    readFrames(stream, onMessage);
    return stream;
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    close: async () => {
      for (const stream of open) stream.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function readFrames(stream: Duplex, onMessage: (text: string) => void): void {
  let waiting = Buffer.alloc(0);
  stream.on("data", (bytes: Buffer) => {
    waiting = Buffer.concat([waiting, bytes]);
    if (waiting.length > MAX_BYTES) return stream.destroy();
    for (let next = firstFrame(waiting); next; next = firstFrame(waiting)) {
      waiting = waiting.subarray(next.size);
      if (next.opcode === OPCODE.text) onMessage(next.payload.toString("utf8"));
      if (next.opcode === OPCODE.ping) stream.write(frame(OPCODE.pong, next.payload));
      if (next.opcode === OPCODE.close) stream.end(frame(OPCODE.close, next.payload));
    }
    return stream;
  });
}

/** Returns the first complete frame of the received bytes, unmasked. Clients mask all of their frames. */
function firstFrame(bytes: Buffer): { opcode: number; payload: Buffer; size: number } | null {
  if (bytes.length < 2) return null;
  const short = bytes.readUInt8(1) & 0x7f;
  const extra = short === 127 ? 8 : short === 126 ? 2 : 0;
  if (bytes.length < 2 + extra + 4) return null;
  const length = extra === 8 ? Number(bytes.readBigUInt64BE(2)) : extra === 2 ? bytes.readUInt16BE(2) : short;
  const start = 2 + extra + 4;
  if (bytes.length < start + length) return null;
  const mask = bytes.subarray(start - 4, start);
  const payload = Buffer.from(bytes.subarray(start, start + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  return { opcode: bytes.readUInt8(0) & 0x0f, payload, size: start + length };
}

function frame(opcode: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(payload.length < 126 ? 2 : 4);
  head.writeUInt8(0x80 | opcode, 0);
  head.writeUInt8(Math.min(payload.length, 126), 1);
  if (payload.length >= 126) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}
