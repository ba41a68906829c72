import { type Deviation, type Payment, PayProblem } from "@/sandbox/wallets/pay-order";

/** Sends the exact payment of an order. @throws PayProblem in words for the payer. */
type Pay = (tradeId: string, deviation?: Deviation) => Promise<Pick<Payment, "order" | "transactions">>;

/** A second click within this time is the same payment. */
const SAME_CLICK_MS = 2_000;

/**
 * What "Pay from the sandbox wallet" does: pays, and goes back to the page. Programs that accept only JSON get the
 * transaction. `clock` is in milliseconds.
 */
export function createWalletDoor(pay: Pay, clock: () => number) {
  const clicks = new Map<string, { at: number; payment: ReturnType<Pay> }>();
  const payOnce = (tradeId: string) => {
    for (const [id, { at }] of clicks) if (clock() - at > SAME_CLICK_MS) clicks.delete(id);
    const click = clicks.get(tradeId) ?? { at: clock(), payment: pay(tradeId) };
    clicks.set(tradeId, click);
    return click.payment;
  };
  return async (request: Request, { tradeId = "" }: { tradeId?: string }): Promise<Response> => {
    const wantsJson = request.headers.get("accept")?.includes("application/json") ?? false;
    try {
      const { order, transactions } = await payOnce(tradeId);
      if (wantsJson) return Response.json({ trade_id: order.id, tx_hash: transactions[0] });
      return new Response(null, { status: 303, headers: { location: `/pay/${order.id}${languageQuery(request)}` } });
    } catch (error) {
      clicks.delete(tradeId);
      if (!(error instanceof PayProblem)) throw error;
      if (wantsJson) return Response.json({ message: error.message }, { status: 404 });
      return new Response(error.message, { status: 404, headers: { "content-type": "text/plain; charset=utf-8" } });
    }
  };
}

/** The page goes on in the language that it was left in. */
function languageQuery(request: Request): string {
  const lang = new URL(request.url).searchParams.get("lang");
  return lang ? `?${new URLSearchParams({ lang })}` : "";
}
