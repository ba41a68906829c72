import { createHash } from "node:crypto";

const sha256 = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * What a wallet of TRON asks from within the page: its tronWeb builds and sends transactions by HTTP, as a script of this page.
 * This is the node that TronLink is set to (developers.tron.network, TronGrid).
 */
const TRON_NODE = "https://api.trongrid.io";

export interface PageScripts {
  /** In the page. */
  script: string;
  /** Of the file that the script loads when it is asked for: "sha256-…". */
  loaded: string;
}

/**
 * The Content-Security-Policy of a page that holds exactly this style sheet and, where it has some, these scripts. 'strict-dynamic'
 * lets the script load its file where a browser does not compare hashes of files with the policy; the file's integrity is in the
 * script. Hosts, so also everything else of this one, may run nothing.
 */
export function contentPolicy(style: string, scripts: PageScripts | null, isTron = false): string {
  return [
    "default-src 'none'",
    `script-src ${scripts === null ? "'none'" : `${sha256(scripts.script)} '${scripts.loaded}' 'strict-dynamic'`}`,
    `style-src ${sha256(style)}`,
    "img-src 'self' data:",
    `connect-src 'self'${isTron ? ` ${TRON_NODE}` : ""}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
