import { getContext } from "@/app/context";
import { OrderEvents } from "@/lib/http/order-events";
import { findOrderVersion } from "@/lib/orders/find-checkout";

/** Tells a payment page whenever its order changed (server-sent events): the version now, and each higher one. */
export async function GET(request: Request, { params }: { params: Promise<{ tradeId: string }> }): Promise<Response> {
  const { tradeId } = await params;
  const { pool, log, orderChanges } = getContext();
  const events = new OrderEvents(orderChanges, tradeId, request.signal);
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
    return Response.json({ message: "The order cannot be read right now" }, { status: 503, headers: UNSTORED });
  }
}

const UNSTORED = { "cache-control": "no-store" };
