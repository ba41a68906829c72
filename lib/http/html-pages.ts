import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { ApiCall } from "@/lib/http/api-call";
import { isKnown, type Reply } from "@/lib/http/reply";

/** A document or a part of one, with its Content-Security-Policy. */
interface Page {
  html: string;
  policy: string;
}

interface Options {
  status?: number;
  /** The headers of this response only. */
  headers?: Record<string, string>;
}

/** The HTML pages of this process, each rendered and compressed once for all viewers. */
export interface HtmlPages {
  /**
   * Responds with a page, compressed as the client allows, or with 304 if the client has it. The page is never cached outside this
   * process, and another site can frame it only if its policy allows that.
   * @param name identifies everything that the page depends on: pages with the same name are identical; null: the page is not cached
   * @param make is called if the page is not cached; its error is thrown, and nothing is cached
   */
  answer(
    call: Pick<ApiCall, "header">,
    name: string | null,
    make: () => Page | Promise<Page>,
    options?: Options,
  ): Promise<Reply>;
}

/** The coding of a body, as Content-Encoding names it. */
export type Coding = "br" | "gzip" | "identity";

interface Kept {
  bytes: Uint8Array<ArrayBuffer>;
  tag: string;
  headers: Record<string, string>;
}

const MAX_BYTES = 32 * 1024 * 1024;
/** The approximate memory of a page in addition to its bytes and its name. */
const OVERHEAD_BYTES = 1_024;
const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);
/**
 * The level that compresses a page of 31 KB to 9.5 KB in a millisecond. Levels up to 9 are no smaller; level 11 saves a tenth but takes
 * forty times as long.
 */
const BROTLI_QUALITY = 5;
/** A window of 64 KB fits any page; the default of 4 MB would be allocated and freed for each page. */
const BROTLI_WINDOW = 16;
const GZIP_LEVEL = 6;

/** Creates a cache of up to `maxBytes` that keeps the most recently requested pages in memory. */
export function createHtmlPages(maxBytes: number = MAX_BYTES): HtmlPages {
  const kept = new Map<string, Kept>();
  const underWay = new Map<string, Promise<Kept>>();
  let bytes = 0;

  function keep(key: string, page: Kept): Kept {
    kept.set(key, page);
    bytes += weightOf(key, page);
    for (const [oldest, dropped] of kept) {
      if (bytes <= maxBytes) break;
      kept.delete(oldest);
      bytes -= weightOf(oldest, dropped);
    }
    return page;
  }

  function find(key: string, make: () => Promise<Kept>): Kept | Promise<Kept> {
    const found = kept.get(key);
    if (found) {
      kept.delete(key);
      kept.set(key, found);
      return found;
    }
    const started = underWay.get(key);
    if (started) return started;
    const making = make().finally(() => underWay.delete(key));
    underWay.set(key, making);
    return making.then((page) => keep(key, page));
  }

  return {
    async answer(call, name, make, { status = 200, headers = {} } = {}) {
      const coding = codingOf(call.header("accept-encoding") ?? "");
      const fresh = async () => compress(await make(), coding);
      const page = await (name === null ? fresh() : find(`${coding} ${name}`, fresh));
      if (status !== 200) return { status, headers: { ...page.headers, ...headers }, body: page.bytes };
      const tagged = { ...page.headers, etag: `W/"${page.tag}"`, ...headers };
      return isKnown(call, page.tag)
        ? { status: 304, headers: tagged, body: "" }
        : { status, headers: tagged, body: page.bytes };
    },
  };
}

function weightOf(key: string, { bytes }: Kept): number {
  return bytes.byteLength + 2 * key.length + OVERHEAD_BYTES;
}

async function compress({ html, policy }: Page, coding: Coding): Promise<Kept> {
  const headers: Record<string, string> = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": policy,
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    // X-Frame-Options cannot name origins, and browsers that support frame-ancestors ignore it.
    ...(policy.includes("frame-ancestors 'none'") ? { "x-frame-options": "DENY" } : {}),
    vary: "accept, accept-encoding",
    ...(coding === "identity" ? {} : { "content-encoding": coding }),
  };
  return {
    bytes: await encode(Buffer.from(html), coding),
    tag: hash("sha256", html, "base64url").slice(0, 16),
    headers,
  };
}

/** Compresses on another thread. */
async function encode(plain: Buffer<ArrayBuffer>, coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
  switch (coding) {
    case "identity":
      return plain;
    case "gzip":
      return gzipAsync(plain, { level: GZIP_LEVEL });
    case "br": {
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      };
      return brotliAsync(plain, { params });
    }
  }
}

/** Returns the best coding that an Accept-Encoding header allows. */
export function codingOf(accepted: string): Coding {
  if (accepts(accepted, "br")) return "br";
  return accepts(accepted, "gzip") ? "gzip" : "identity";
}

/** Returns true if an Accept-Encoding names a coding and does not forbid it by `q=0`. */
function accepts(header: string, coding: string): boolean {
  return header
    .toLowerCase()
    .split(",")
    .some((item) => {
      const [name, ...parameters] = item.split(";").map((part) => part.trim());
      return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
}
