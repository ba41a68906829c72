import type { IncomingMessage } from "node:http";
import { AppError } from "@/lib/errors";
import { offeredBody } from "@/lib/http/shortcut";

/** The largest body that a request may have. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Reads a body as it arrives and stops as soon as it is too large, whatever its Content-Length claims.
 * @throws AppError 10001 with HTTP 413
 */
export async function readBody(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const offered = offeredBody(request);
  return offered ? offered() : collect(request.body ?? []);
}

/** The same for a body that nobody began to read, straight from node:http. */
export function readIncoming(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else reject(tooLarge());
    });
    incoming.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.on("error", reject);
    incoming.on("close", () => {
      if (!incoming.complete) reject(new AppError(10001, "The request ended before its body was complete"));
    });
  });
}

async function collect(stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): AppError {
  return new AppError(10001, `The request body is larger than ${MAX_BODY_BYTES} bytes (64 KiB)`, {
    httpStatus: 413,
    headers: { Connection: "close" },
  });
}
