import { createHash } from "node:crypto";

const sha256 = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

interface PolicyParts {
  /** Style sheets that the page holds. */
  styles: readonly string[];
  script: string | null;
  /** Origins whose pages may show it in a frame. */
  frameParents?: readonly string[];
}

/** The Content-Security-Policy of a page that holds exactly these style sheets and, where it has one, this script. */
export function contentPolicy({ styles, script, frameParents = [] }: PolicyParts): string {
  return [
    "default-src 'none'",
    `script-src ${script === null ? "'none'" : sha256(script)}`,
    `style-src ${styles.map(sha256).join(" ")}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameParents.length > 0 ? frameParents.join(" ") : "'none'"}`,
  ].join("; ");
}
