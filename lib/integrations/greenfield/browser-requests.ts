import { hash } from "node:crypto";
import { CONNECT_PAGE } from "@/lib/domain/integrations/connection";
import type { ApiCall } from "@/lib/http/api-call";
import { type Reply, sharedScript } from "@/lib/http/reply";
import { MODAL_SCRIPT } from "@/lib/integrations/greenfield/modal-script";

const MODAL = { script: MODAL_SCRIPT, tag: hash("sha256", MODAL_SCRIPT, "base64url").slice(0, 16) };
const ID = /^[\w-]{1,64}$/;

/**
 * Responds to the requests that browsers, not servers, send to a BTCPay Server. A request for a token is redirected to the page on which
 * the signed-in user decides. A request for an invoice is redirected to its payment page. A shop's page receives the script that shows
 * payment pages over it.
 * @returns null if it is a request from a server
 */
export function answerBrowser(call: Pick<ApiCall, "method" | "target" | "header">): Reply | null {
  if (call.method !== "GET") return null;
  const [path = "", ...rest] = call.target.split("?");
  const query = rest.join("?");
  const [, first, second, ...more] = path.split("/").filter((part) => part !== "");
  const name = [first, second, ...more].join("/");
  if (name === "modal/btcpay.js") return sharedScript(call, MODAL);
  if (name === "api-keys/authorize") {
    const page = `${CONNECT_PAGE}${query ? `?${query}` : ""}`;
    return redirectTo(`/login?${new URLSearchParams({ next: page })}`);
  }
  const id = first === "invoice" ? new URLSearchParams(query).get("id") : first === "i" ? second : null;
  return id && more.length === 0 && ID.test(id) ? redirectTo(`/pay/${id}`) : null;
}

function redirectTo(location: string): Reply {
  return {
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
    body: "",
  };
}
