import { createHash } from "node:crypto";

/** All that a token can be allowed, each for one store; plugins refuse one that may do less than they ask for, and one that may do more. */
export const PERMISSIONS = [
  "btcpay.store.canviewinvoices",
  "btcpay.store.cancreateinvoice",
  "btcpay.store.canviewstoresettings",
  "btcpay.store.canmodifyinvoices",
  "btcpay.store.webhooks.canmodifywebhooks",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The permissions of a store's token, by the protocol's names; `kept` are those that lie with it, none: all that there are. */
export function storePermissions(storeId: string, kept: readonly string[] = []): string[] {
  const names = PERMISSIONS.filter((name) => kept.length === 0 || kept.includes(name));
  return names.map((name) => `${name}:${storeId}`);
}

/** What is kept of a token, which is shown once: its SHA-256, hex. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
