import { getContext } from "@/app/context";
import { requirePerson } from "@/app/session";
import type { Db } from "@/db/client";
import { type ListCursor, parseListCursor, type SearchParams } from "@/lib/domain/list-cursor";
import { writeLive } from "@/lib/domain/live-rows";

/** A page of a list, with the position of the next page. */
interface Read<Row> {
  rows: Row[];
  older: { after: string } | null;
}

type List<Row> = (db: Db, merchantId: string, params: SearchParams, cursor: ListCursor) => Promise<Read<Row>>;

/** Returns the rows of a list in their current state, for the same query as its page; 409 if the page shows a different shop. */
export async function liveAnswer<Row>(request: Request, list: List<Row>): Promise<Response> {
  const { merchantId } = await requirePerson();
  const { lists, now } = getContext();
  const params = Object.fromEntries(new URL(request.url).searchParams);
  const headers = { "cache-control": "no-store" };
  if (params["shop"] && params["shop"] !== merchantId) return new Response(null, { status: 409, headers });
  const at = now();
  const page = await lists.read((db) => list(db, merchantId, params, parseListCursor(params)));
  const body = writeLive({ rows: page.rows, until: page.older?.after ?? null, at });
  return new Response(body, { headers: { ...headers, "content-type": "application/json" } });
}
