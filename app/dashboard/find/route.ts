import { getContext } from "@/app/context";
import { requirePerson } from "@/app/session";
import { searchRecords } from "@/lib/search/search-records";

/** GET /dashboard/find?q=…: returns the records that match a text exactly, with their pages. 409 if the window shows a different shop. */
export async function GET(request: Request): Promise<Response> {
  const { merchantId } = await requirePerson();
  const params = new URL(request.url).searchParams;
  const shop = params.get("shop");
  const headers = { "cache-control": "no-store" };
  if (shop && shop !== merchantId) return new Response(null, { status: 409, headers });
  return Response.json(await searchRecords(getContext().pool.db, merchantId, params.get("q") ?? ""), {
    headers,
  });
}
