import { createHash } from "node:crypto";

const sha256 = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The Content-Security-Policy of a page that holds exactly this style sheet and, where it has one, this script. */
export function contentPolicy(style: string, script: string | null): string {
  return [
    "default-src 'none'",
    `script-src ${script === null ? "'none'" : sha256(script)}`,
    `style-src ${sha256(style)}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
