import { getContext } from "@/app/context";
import { checkoutTag, pageView } from "@/lib/domain/checkout/refresh";
import { toStatusData } from "@/lib/domain/checkout/status-wire";
import { refuseForNow, TOO_MANY_VIEWS } from "@/lib/http/visitors";
import { findPageFacts } from "@/lib/orders/find-checkout";

/** Where an order stands, for its payment page; 304 while the page already shows it. */
export async function GET(request: Request, { params }: { params: Promise<{ tradeId: string }> }): Promise<Response> {
  const { tradeId } = await params;
  const { env, pool, log, now, visitors } = getContext();
  const wait = visitors.view(request, now());
  if (wait > 0) return refuseForNow(TOO_MANY_VIEWS, wait);
  try {
    const facts = await findPageFacts(pool.db, env, tradeId, now());
    if (!facts) return Response.json({ message: "There is no such order" }, { status: 404, headers: UNSTORED });
    const view = pageView(facts, now());
    const tag = checkoutTag(view);
    const headers = { ...UNSTORED, etag: `"${tag}"` };
    if (isShown(request, tag)) return new Response(null, { status: 304, headers });
    return Response.json(toStatusData(view, tag), { headers });
  } catch (error) {
    log.error({ err: error, tradeId }, "the status of an order could not be read");
    return refuseForNow("The order cannot be read right now", RETRY_SECONDS, 503);
  }
}

const RETRY_SECONDS = 5;
const UNSTORED = { "cache-control": "no-store" };

function isShown(request: Request, tag: string): boolean {
  const known = request.headers.get("if-none-match") ?? "";
  return known.split(",").some((item) => item.trim().replace(/^W\//, "") === `"${tag}"`);
}
