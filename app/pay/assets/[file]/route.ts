import { brotliCompressSync, gzipSync } from "node:zlib";
import { WALLET_FILE, WALLET_SCRIPT } from "@/components/pay/assets";
import { type Coding, codingOf } from "@/lib/http/html-pages";
import { type Reply, replyRoute } from "@/lib/http/reply";

/** The compressed bodies, created on the first request. They never change, because the file name contains the hash of the file. */
let bodies: Record<Coding, Uint8Array<ArrayBuffer>> | null = null;

/**
 * Returns a script that the payment page loads on demand, such as the one that connects to wallets. Its name contains
 * its hash.
 */
export const GET = replyRoute<{ file: string }>(async (call, { file }): Promise<Reply> => {
  if (file !== WALLET_FILE) {
    const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
    return { status: 404, headers, body: "Not Found\n" };
  }
  const coding = codingOf(call.header("accept-encoding") ?? "");
  const headers = {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    vary: "accept-encoding",
    ...(coding !== "identity" && { "content-encoding": coding }),
  };
  bodies ??= compressed();
  return { status: 200, headers, body: bodies[coding] };
});

function compressed(): Record<Coding, Uint8Array<ArrayBuffer>> {
  const identity = Buffer.from(WALLET_SCRIPT);
  return { identity, br: Buffer.from(brotliCompressSync(identity)), gzip: Buffer.from(gzipSync(identity)) };
}
