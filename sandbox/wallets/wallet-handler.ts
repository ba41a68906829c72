import { PayProblem } from "@/sandbox/wallets/pay-order";

/** Sends the exact payment of an order, or a transfer to a deposit address. @throws PayProblem with a message for the payer */
type Pay = (id: string) => Promise<{ transactions: readonly string[] }>;

/** The time within which a second click belongs to the same payment. */
const SAME_CLICK_MS = 2_000;

/**
 * Returns the handler of "Pay from the sandbox wallet", which pays and redirects to the page. Clients that request JSON receive the
 * transaction instead. `clock` is in milliseconds.
 * @param page the kind of page: "pay" for orders, "deposit" for deposit addresses
 */
export function createWalletHandler(page: "pay" | "deposit", pay: Pay, clock: () => number) {
  const clicks = new Map<string, { at: number; payment: ReturnType<Pay> }>();
  const payOnce = (paid: string) => {
    for (const [id, { at }] of clicks) if (clock() - at > SAME_CLICK_MS) clicks.delete(id);
    const click = clicks.get(paid) ?? { at: clock(), payment: pay(paid) };
    clicks.set(paid, click);
    return click.payment;
  };
  return async (request: Request, { id = "" }: { id?: string }): Promise<Response> => {
    const wantsJson = request.headers.get("accept")?.includes("application/json") ?? false;
    try {
      const { transactions } = await payOnce(id);
      const name = page === "pay" ? "trade_id" : "deposit_address_id";
      if (wantsJson) return Response.json({ [name]: id, tx_hash: transactions[0] });
      const location = `/${page}/${encodeURIComponent(id)}${languageQuery(request)}`;
      return new Response(null, { status: 303, headers: { location } });
    } catch (error) {
      clicks.delete(id);
      if (!(error instanceof PayProblem)) throw error;
      if (wantsJson) return Response.json({ message: error.message }, { status: 404 });
      return new Response(error.message, { status: 404, headers: { "content-type": "text/plain; charset=utf-8" } });
    }
  };
}

/** Returns the query that reopens the page in its current language. */
function languageQuery(request: Request): string {
  const lang = new URL(request.url).searchParams.get("lang");
  return lang ? `?${new URLSearchParams({ lang })}` : "";
}
