import { officeContext, requirePerson } from "@/app/session";
import { findPlaces } from "@/lib/orders/find-places";

/** GET /dashboard/find?q=…: what of the shop a text names exactly, and where it is shown. 409 where the window shows another shop. */
export async function GET(request: Request): Promise<Response> {
  const { merchantId } = await requirePerson();
  const params = new URL(request.url).searchParams;
  const shop = params.get("shop");
  const headers = { "cache-control": "no-store" };
  if (shop && shop !== merchantId) return new Response(null, { status: 409, headers });
  return Response.json(await findPlaces((await officeContext()).pool.db, merchantId, params.get("q") ?? ""), {
    headers,
  });
}
