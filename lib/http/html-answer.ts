import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);
/** A good ratio at about a millisecond for a page of 30 KB. */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;

interface HtmlOptions {
  status?: number;
  /** Content-Security-Policy. */
  policy: string;
  headers?: Record<string, string>;
}

/** Answers with an HTML text, compressed as the client allows, never stored, and shown inside another site only where its policy says so. */
export async function htmlAnswer(request: Request, html: string, options: HtmlOptions): Promise<Response> {
  const { encoding, bytes } = await compress(html, request.headers.get("accept-encoding") ?? "");
  const headers: Record<string, string> = {
    "content-type": "text/html; charset=utf-8",
    "content-length": String(bytes.byteLength),
    "cache-control": "no-store",
    "content-security-policy": options.policy,
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    // It cannot name origins, and browsers that know frame-ancestors pass over it.
    ...(options.policy.includes("frame-ancestors 'none'") ? { "x-frame-options": "DENY" } : {}),
    vary: "accept, accept-encoding",
    ...(encoding ? { "content-encoding": encoding } : {}),
    ...options.headers,
  };
  return new Response(bytes, { status: options.status ?? 200, headers });
}

async function compress(
  text: string,
  accepted: string,
): Promise<{ encoding: "br" | "gzip" | null; bytes: Uint8Array<ArrayBuffer> }> {
  const plain = Buffer.from(text);
  if (accepts(accepted, "br")) {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    };
    return { encoding: "br", bytes: await brotliAsync(plain, { params }) };
  }
  if (accepts(accepted, "gzip")) return { encoding: "gzip", bytes: await gzipAsync(plain, { level: GZIP_LEVEL }) };
  return { encoding: null, bytes: plain };
}

/** Whether an Accept-Encoding names a coding and does not forbid it by `q=0`. */
function accepts(header: string, coding: string): boolean {
  return header
    .toLowerCase()
    .split(",")
    .some((item) => {
      const [name, ...parameters] = item.split(";").map((part) => part.trim());
      return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
}
