import { getContext } from "@/app/context";
import { OrderEvents } from "@/lib/http/order-events";
import { refuseForNow, TOO_MANY_VIEWS } from "@/lib/http/visitors";
import { findOrderVersion } from "@/lib/orders/find-checkout";

/** Tells a payment page whenever its order changed (server-sent events): the version now, and each higher one. */
export async function GET(request: Request, { params }: { params: Promise<{ tradeId: string }> }): Promise<Response> {
  const { tradeId } = await params;
  const { pool, log, orderChanges, visitors, now } = getContext();
  const wait = visitors.view(request, now());
  if (wait > 0) return refuseForNow(TOO_MANY_VIEWS, wait);
  const place = visitors.openStream(request, now());
  if ("refused" in place) return REFUSALS[place.refused]();
  const events = new OrderEvents(orderChanges, tradeId, request.signal, place.close);
  try {
    const version = await findOrderVersion(pool.db, tradeId);
    if (version !== null) {
      events.changed(version);
      return events.answer();
    }
    events.closed();
    return Response.json({ message: "There is no such order" }, { status: 404, headers: UNSTORED });
  } catch (error) {
    events.closed();
    log.error({ err: error, tradeId }, "the events of an order could not be opened");
    return refuseForNow("The order cannot be read right now", RETRY_SECONDS, 503);
  }
}

const RETRY_SECONDS = 5;
const FULL_SECONDS = 60;
const REFUSALS = {
  address: () => refuseForNow("This address has too many event streams open; ask for the status instead", FULL_SECONDS),
  process: () => refuseForNow("Too many event streams are open; ask for the status instead", FULL_SECONDS, 503),
};
const UNSTORED = { "cache-control": "no-store" };
