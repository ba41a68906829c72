import { getLocale } from "next-intl/server";
import { describeErrors } from "@/app/dashboard/callbacks/describe-attempts";
import { liveAnswer } from "@/app/dashboard/live-answer";
import { listCallbacks } from "@/db/queries/callbacks/callback-list";
import { callbackFilter } from "@/lib/domain/callbacks/filter";
import { PAGE_SIZE } from "@/lib/domain/list-cursor";
import { liveLimit } from "@/lib/domain/live-rows";

/** GET /dashboard/callbacks/live?…: returns the current state of the callbacks that the list's URL selects. */
export async function GET(request: Request): Promise<Response> {
  const language = await getLocale();
  return liveAnswer(request, async (db, merchantId, params, cursor) => {
    const filter = callbackFilter.parse(params);
    const page = await listCallbacks(db, merchantId, filter, cursor, liveLimit(PAGE_SIZE));
    return { ...page, rows: await describeErrors(language, page.rows) };
  });
}
