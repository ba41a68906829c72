import { liveAnswer } from "@/app/dashboard/live-answer";
import { listOrders } from "@/db/queries/orders/order-list";
import { PAGE_SIZE } from "@/lib/domain/list-cursor";
import { liveLimit } from "@/lib/domain/live-rows";
import { orderFilter } from "@/lib/domain/orders/filter";

/** GET /dashboard/orders/live?…: returns the current state of the orders that the list's URL selects. */
export async function GET(request: Request): Promise<Response> {
  return liveAnswer(request, (db, merchantId, params, cursor) =>
    listOrders(db, merchantId, orderFilter.parse(params), cursor, liveLimit(PAGE_SIZE)),
  );
}
