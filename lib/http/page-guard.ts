import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/** Pages with their own policy. A second policy is not added, because the page's own policy could not relax it. */
const OWN_POLICY = /^\/dashboard\/settings\/checkout\/preview(?:[/?]|$)/;

/** The HSTS header. It is valid for a year and for this host only, because subdomains belong to the operator. */
const STRICT_TRANSPORT = "max-age=31536000";

/**
 * Returns the default headers of a response. A page replaces them with its own. They prevent a browser from rendering or framing the data.
 */
export function answerHeaders({ isHttps }: { isHttps: boolean }): Readonly<Record<string, string>> {
  return {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy":
      "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    ...(isHttps ? { "Strict-Transport-Security": STRICT_TRANSPORT } : {}),
  };
}

/** Returns the Content-Security-Policy of a back office page whose scripts have this nonce. */
export function officePolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    // Toasts and dialogs add their styles by script, and components set individual style properties.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join("; ");
}

/**
 * Adds headers that prevent framing, leaks and foreign scripts to a Next.js page. Next.js reads the nonce from the request's policy
 * header, which replaces the client's, and adds it to its scripts.
 */
export function guardPage(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { isHttps }: { isHttps: boolean },
): void {
  for (const [name, value] of Object.entries(fixedHeaders(isHttps))) outgoing.setHeader(name, value);
  const nonce = randomBytes(16).toString("base64");
  const policy = officePolicy(nonce);
  incoming.headers["content-security-policy"] = policy;
  incoming.headers["x-nonce"] = nonce;
  if (OWN_POLICY.test(incoming.url ?? "")) outgoing.removeHeader("Content-Security-Policy");
  else outgoing.setHeader("Content-Security-Policy", policy);
}

function fixedHeaders(isHttps: boolean): Readonly<Record<string, string>> {
  return {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy":
      "camera=(), microphone=(), geolocation=(), payment=(), usb=(), publickey-credentials-create=(self), publickey-credentials-get=(self)",
    "Cross-Origin-Opener-Policy": "same-origin",
    ...(isHttps ? { "Strict-Transport-Security": STRICT_TRANSPORT } : {}),
  };
}
