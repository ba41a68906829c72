import { PERMISSIONS, type Permission } from "@/lib/domain/integrations/greenfield";
import { isNearHost } from "@/lib/domain/public-url";

/**
 * Optional to the plugins that ask for it, and never given: there is nothing here to pay out of.
 * Source: BTCPay for WooCommerce, GreenfieldApiAuthorization, OPTIONAL_PERMISSIONS.
 */
const WITHHELD: readonly string[] = [
  "btcpay.store.cancreatenonapprovedpullpayments",
  "btcpay.store.cancreatepullpayments",
];

/** Why an application is given no token, by a name that every language has words for; `what` is what is wrong with it, as it was asked. */
export interface Refusal {
  why: "nothingAsked" | "tooWide" | "noUrl" | "unprotected" | "ownPage";
  what: string;
}

/** What an application asks for that wants a token of its own. */
export interface Connection {
  /** As it calls itself, which anybody may; "" where it does not. */
  application: string;
  /** Where the token goes; null: to the person, who types it in. */
  redirect: URL | null;
  /** Whether it goes there without https, which is taken on the way to one's own machine or network alone. */
  isUnprotected: boolean;
  permissions: readonly Permission[];
  /** Asked for, and not given. */
  withheld: readonly string[];
}

const MAX_NAME = 60;
const MAX_URL = 2_000;
const MAX_SHOWN = 100;
// Controls, and what turns the direction of text or cannot be seen: a name must not look like another sentence of the page.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Reads what BTCPay's `/api-keys/authorize` is asked: `permissions` (any number of times), `applicationName`, `redirect`. What else
 * clients send (`strict`, `selectiveStores`, `applicationIdentifier`) changes nothing: a token is always for one store, and may do no
 * more than was asked for.
 * @param ownOrigin of this service
 */
export function readConnection(query: URLSearchParams, ownOrigin: string): Connection | Refusal {
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

function cut(text: string, most: number): string {
  return [...text.replaceAll(UNSEEN, "").trim()].slice(0, most).join("");
}

function readRedirect(text: string, ownOrigin: string): Pick<Connection, "redirect" | "isUnprotected"> | Refusal {
  if (text === "") return { redirect: null, isUnprotected: false };
  const url = URL.canParse(text) && text.length <= MAX_URL ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    return { why: "noUrl", what: cut(text, MAX_SHOWN) };
  // A form that comes from here would be taken here for one of our own.
  if (url.origin === ownOrigin) return { why: "ownPage", what: cut(text, MAX_SHOWN) };
  url.hash = "";
  const isUnprotected = url.protocol === "http:";
  if (isUnprotected && !isNearHost(url.hostname)) return { why: "unprotected", what: url.host };
  return { redirect: url, isUnprotected };
}
