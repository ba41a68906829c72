import { brotliCompressSync, gzipSync } from "node:zlib";
import { WALLET_FILE, WALLET_SCRIPT } from "@/components/pay/assets";
import { accepts } from "@/lib/http/html-answer";

interface Params {
  params: Promise<{ file: string }>;
}

/** Made once, when first asked for: the file never changes under its name. */
let bodies: Record<"br" | "gzip" | "identity", Uint8Array<ArrayBuffer>> | null = null;

/** What the payment page loads when it is asked for: the script that talks to wallets, whose name holds its hash. */
export async function GET(request: Request, { params }: Params): Promise<Response> {
  const { file } = await params;
  if (file !== WALLET_FILE)
    return new Response("Not Found\n", { status: 404, headers: { "cache-control": "no-store" } });
  const accepted = request.headers.get("accept-encoding") ?? "";
  const coding = accepts(accepted, "br") ? "br" : accepts(accepted, "gzip") ? "gzip" : "identity";
  const headers = {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    vary: "accept-encoding",
    ...(coding !== "identity" && { "content-encoding": coding }),
  };
  bodies ??= compressed();
  return new Response(bodies[coding], { headers });
}

function compressed() {
  const identity = Buffer.from(WALLET_SCRIPT);
  return { identity, br: Buffer.from(brotliCompressSync(identity)), gzip: Buffer.from(gzipSync(identity)) };
}
