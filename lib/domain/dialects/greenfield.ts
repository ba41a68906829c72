import { createHash } from "node:crypto";

/** What a token may do, each for one store; plugins refuse one that may do less, and one that may do more. */
const PERMISSIONS = [
  "btcpay.store.canviewinvoices",
  "btcpay.store.cancreateinvoice",
  "btcpay.store.canviewstoresettings",
  "btcpay.store.canmodifyinvoices",
] as const;

/** The permissions of a store's token, by the protocol's names. */
export function storePermissions(storeId: string): string[] {
  return PERMISSIONS.map((name) => `${name}:${storeId}`);
}

/** What is kept of a token, which is shown once: its SHA-256, hex. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
