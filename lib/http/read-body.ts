import { AppError } from "@/lib/errors";

/** The largest body that a request may have. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * Reads a body as it arrives and stops as soon as it is too large, whatever its Content-Length claims.
 * @throws AppError 10001 with HTTP 413
 */
export async function readBody(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

function tooLarge(): AppError {
  return new AppError(10001, `The request body is larger than ${MAX_BODY_BYTES} bytes (64 KiB)`, {
    httpStatus: 413,
    headers: { Connection: "close" },
  });
}
