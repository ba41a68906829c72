import { CONNECT_PAGE } from "@/components/dashboard/plugins/known-plugins";
import type { Reply } from "@/lib/http/reply";

/**
 * Answers what browsers, not servers, ask of a BTCPay Server: who wants to connect is led to the page that asks the person, signed in;
 * whoever looks for an invoice, to its payment page.
 * @param path without the first part, and with single slashes: "api-keys/authorize"
 * @returns null where a server asks
 */
export function leadBrowser(path: string, query: string): Reply | null {
  if (path === "api-keys/authorize") {
    const page = `${CONNECT_PAGE}${query ? `?${query}` : ""}`;
    return leadTo(`/login?${new URLSearchParams({ next: page })}`);
  }
  const id = /^i\/([\w-]{1,64})$/.exec(path)?.[1] ?? (path === "invoice" ? new URLSearchParams(query).get("id") : null);
  return id !== null && /^[\w-]{1,64}$/.test(id) ? leadTo(`/pay/${id}`) : null;
}

function leadTo(location: string): Reply {
  return {
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
    body: "",
  };
}
