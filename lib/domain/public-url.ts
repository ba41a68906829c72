import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Returns true if a host is this machine or an address of a private network. It returns false for names other than localhost, because
 * their DNS zones determine their addresses.
 */
export function isNearHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) === 0) return host === "localhost" || host.endsWith(".localhost");
  return ["loopback", "private", "uniqueLocal"].includes(ipaddr.process(host).range());
}

/** Returns the problem with a PUBLIC_URL that uses plain http on a public host, with the solution; null for every other URL. */
export function plainHttpProblem(publicUrl: string): string | null {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol !== "http:" || isNearHost(hostname)) return null;
  return (
    `PUBLIC_URL is ${publicUrl}, which is not encrypted: anyone between a payer and this server can replace the payment address, ` +
    "and browsers disable passkeys and clipboard access. " +
    `Put a reverse proxy with TLS in front (deploy/caddy, deploy/nginx) and set PUBLIC_URL=https://${hostname}`
  );
}
