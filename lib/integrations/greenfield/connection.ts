import type { ConnectionRefusal, ConnectionRequest, IntegrationConnection } from "@/lib/domain/integrations/connection";
import { isNearHost } from "@/lib/domain/public-url";
import { CONNECTION_PATH, encryptConnection } from "@/lib/integrations/greenfield/connection-ticket";
import { PERMISSION_TEXTS, PERMISSIONS, storePermissions } from "@/lib/integrations/greenfield/permissions";

export const greenfieldConnection: IntegrationConnection = {
  read: readConnection,
  permissions: PERMISSION_TEXTS,
  connectionPath: CONNECTION_PATH,
  encryptToken: (appSecret, { redirect, publicId, key, userId, permissions }, now) =>
    encryptConnection(
      appSecret,
      { redirect, apiKey: key, userId, permissions: storePermissions(publicId, permissions) },
      now,
    ),
};

/**
 * Permissions to approve payouts, which some plugins request as optional. They are never granted, because a user approves each refund.
 * Source: BTCPay Server, Policies.
 */
const WITHHELD: readonly string[] = [
  "btcpay.store.cancreatepullpayments",
  "btcpay.store.canmanagepullpayments",
  "btcpay.store.canmanagepayouts",
];

const MAX_NAME = 60;
const MAX_URL = 2_000;
const MAX_SHOWN = 100;
// Matches control characters and invisible characters, such as those that change the direction of text. A name that contains them could
// look like part of the page's own text.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Reads a request to BTCPay's `/api-keys/authorize`: `permissions` (any number of times), `applicationName`, `redirect`. The other
 * parameters of clients (`strict`, `selectiveStores`, `applicationIdentifier`) are ignored: a token is always for one store and has only
 * the requested permissions.
 * @param ownOrigin the origin of this service
 */
export function readConnection(query: URLSearchParams, ownOrigin: string): ConnectionRequest | ConnectionRefusal {
  const asked = [...query.entries()]
    .filter(([name]) => /^permissions(?:\[\d*\])?$/.test(name))
    .map(([, value]) => value);
  const names = [...new Set(asked.flatMap((value) => value.split(",")).map((name) => name.trim()))].filter(Boolean);
  const wide = names.find((name) => !isKnown(name) && !WITHHELD.includes(name));
  if (wide !== undefined) return { why: "tooWide", what: cut(wide, MAX_SHOWN) };
  const permissions = PERMISSIONS.filter((name) => names.includes(name));
  if (permissions.length === 0) return { why: "nothingAsked", what: "" };
  const target = readRedirect(query.get("redirect") ?? "", ownOrigin);
  if ("why" in target) return target;
  const application = cut(query.get("applicationName") ?? "", MAX_NAME);
  return { application, ...target, permissions, withheld: names.filter((name) => WITHHELD.includes(name)) };
}

function isKnown(name: string): boolean {
  return (PERMISSIONS as readonly string[]).includes(name);
}

function cut(text: string, max: number): string {
  return [...text.replaceAll(UNSEEN, "").trim()].slice(0, max).join("");
}

function readRedirect(
  text: string,
  ownOrigin: string,
): Pick<ConnectionRequest, "redirect" | "isUnprotected"> | ConnectionRefusal {
  if (text === "") return { redirect: null, isUnprotected: false };
  const url = URL.canParse(text) && text.length <= MAX_URL ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    return { why: "noUrl", what: cut(text, MAX_SHOWN) };
  // A form submitted from this origin would be accepted as a form of this service.
  if (url.origin === ownOrigin) return { why: "ownPage", what: cut(text, MAX_SHOWN) };
  url.hash = "";
  const isUnprotected = url.protocol === "http:";
  if (isUnprotected && !isNearHost(url.hostname)) return { why: "unprotected", what: url.host };
  return { redirect: url, isUnprotected };
}
