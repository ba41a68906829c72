import { createHash } from "node:crypto";

const sha256 = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * The node that a TRON wallet calls from within the page: its tronWeb builds and sends transactions by HTTP, as a script of this page.
 * TronLink uses this node (developers.tron.network, TronGrid).
 */
const TRON_NODE = "https://api.trongrid.io";

interface PolicyParts {
  /** Style sheets that the page holds. */
  styles: readonly string[];
  script: string | null;
  /** The hash of the file that the script loads when it is asked for: "sha256-…". */
  loaded?: string;
  /** True if TRON wallets may be used. */
  isTron?: boolean;
  /** Origins whose pages may show it in a frame. */
  frameParents?: readonly string[];
}

/**
 * The Content-Security-Policy of a page that holds exactly these style sheets and, where it has one, this script. 'strict-dynamic'
 * lets the script load its file where a browser does not compare hashes of files with the policy; the file's integrity is in the
 * script. Hosts, so also everything else of this one, may run nothing.
 */
export function contentPolicy({ styles, script, loaded, isTron = false, frameParents = [] }: PolicyParts): string {
  const file = loaded === undefined ? "" : ` '${loaded}' 'strict-dynamic'`;
  return [
    "default-src 'none'",
    `script-src ${script === null ? "'none'" : sha256(script) + file}`,
    `style-src ${styles.map(sha256).join(" ")}`,
    "img-src 'self' data:",
    `connect-src 'self'${isTron ? ` ${TRON_NODE}` : ""}`,
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameParents.length > 0 ? frameParents.join(" ") : "'none'"}`,
  ].join("; ");
}
