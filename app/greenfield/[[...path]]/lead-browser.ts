import { hash } from "node:crypto";
import { BTCPAY_MODAL } from "@/components/pay/assets";
import { CONNECT_PAGE } from "@/lib/domain/integrations/connection";
import type { ApiCall } from "@/lib/http/api-call";
import { type Reply, sharedScript } from "@/lib/http/reply";

const MODAL = { script: BTCPAY_MODAL, tag: hash("sha256", BTCPAY_MODAL, "base64url").slice(0, 16) };
const ID = /^[\w-]{1,64}$/;

/**
 * Answers what browsers, not servers, ask of a BTCPay Server: who wants to connect is led to the page that asks the person, signed in;
 * whoever looks for an invoice, to its payment page; a shop's page gets the script that shows payment pages over it.
 * @returns null where a server asks
 */
export function leadBrowser(call: Pick<ApiCall, "method" | "target" | "header">): Reply | null {
  if (call.method !== "GET") return null;
  const [path = "", ...rest] = call.target.split("?");
  const query = rest.join("?");
  const [, first, second, ...more] = path.split("/").filter((part) => part !== "");
  const name = [first, second, ...more].join("/");
  if (name === "modal/btcpay.js") return sharedScript(call, MODAL);
  if (name === "api-keys/authorize") {
    const page = `${CONNECT_PAGE}${query ? `?${query}` : ""}`;
    return leadTo(`/login?${new URLSearchParams({ next: page })}`);
  }
  const id = first === "invoice" ? new URLSearchParams(query).get("id") : first === "i" ? second : null;
  return id && more.length === 0 && ID.test(id) ? leadTo(`/pay/${id}`) : null;
}

function leadTo(location: string): Reply {
  return {
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
    body: "",
  };
}
