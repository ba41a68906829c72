import { createHash } from "node:crypto";

const sha256 = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * The node that a TRON wallet calls from within the page: its tronWeb builds and sends transactions by HTTP, as a script of this page.
 * TronLink uses this node (developers.tron.network, TronGrid).
 */
const TRON_NODE = "https://api.trongrid.io";

interface PolicyParts {
  /** The style sheets that the page contains. */
  styles: readonly string[];
  script: string | null;
  /** The hash of the file that the script loads on demand: "sha256-…". */
  loaded?: string;
  /** True if TRON wallets may be used. */
  isTron?: boolean;
  /** The origins whose pages may show this page in a frame. */
  frameParents?: readonly string[];
}

/**
 * Returns the Content-Security-Policy of a page that contains exactly these style sheets and, if given, this script. 'strict-dynamic'
 * allows the script to load its file in browsers that do not compare the hashes of files with the policy; the script contains the file's
 * integrity hash. No host is an allowed script source, so no other file of this host can run either.
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
