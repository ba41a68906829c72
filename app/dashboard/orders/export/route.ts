import { getContext } from "@/app/context";
import { fileAnswer } from "@/app/dashboard/file-answer";
import { authenticateAction, requirePerson } from "@/app/session";
import { orderFilter } from "@/lib/domain/orders/filter";
import { parseFileForm } from "@/lib/domain/reports";
import { recordDownload } from "@/lib/reports/export-audit";
import { exportOrders } from "@/lib/reports/export-orders";

/**
 * GET /dashboard/orders/export?file=csv|xlsx&…: returns the orders that match the filter in the list's URL, as a file.
 */
export async function GET(request: Request): Promise<Response> {
  const person = await requirePerson();
  const { pool, lists, now } = getContext();
  const params = new URL(request.url).searchParams;
  const filter = orderFilter.parse(Object.fromEntries(params));
  const form = parseFileForm(params);
  const download = { ...(await authenticateAction(person)), file: "orders" } as const;
  await recordDownload(pool.db, { ...download, filter: orderFilter.write(filter) }, now());
  const bytes = exportOrders(await lists.choose(), person.merchantId, filter, form);
  return fileAnswer(bytes, `orders-${now().toISOString().slice(0, 10)}`, form);
}
