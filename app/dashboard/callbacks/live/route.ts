import { liveAnswer } from "@/app/dashboard/live-answer";
import { listCallbacks } from "@/db/queries/callbacks/callback-list";
import { callbackFilter } from "@/lib/domain/callbacks/filter";
import { PAGE_SIZE } from "@/lib/domain/list-place";
import { liveLimit } from "@/lib/domain/live-rows";

/** GET /dashboard/callbacks/live?…: the callbacks of the list's URL, as they are now. */
export async function GET(request: Request): Promise<Response> {
  return liveAnswer(request, (db, merchantId, params, place) =>
    listCallbacks(db, merchantId, callbackFilter.parse(params), place, liveLimit(PAGE_SIZE)),
  );
}
