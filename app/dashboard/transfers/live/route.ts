import { liveAnswer } from "@/app/dashboard/live-answer";
import { listTransfers } from "@/db/queries/transfers/transfer-list";
import { PAGE_SIZE } from "@/lib/domain/list-cursor";
import { liveLimit } from "@/lib/domain/live-rows";
import { transferFilter } from "@/lib/domain/transfers/filter";

/** GET /dashboard/transfers/live?…: returns the current state of the transfers that the list's URL selects. */
export async function GET(request: Request): Promise<Response> {
  return liveAnswer(request, (db, merchantId, params, cursor) =>
    listTransfers(db, merchantId, transferFilter.parse(params), cursor, liveLimit(PAGE_SIZE)),
  );
}
