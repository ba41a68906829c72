import { getContext } from "@/app/context";
import { fileAnswer } from "@/app/dashboard/file-answer";
import { authenticateAction, requirePerson } from "@/app/session";
import { refundFilter } from "@/lib/domain/refunds/filter";
import { parseFileForm } from "@/lib/domain/reports";
import { exportRefunds } from "@/lib/refunds/export-refunds";
import { recordDownload } from "@/lib/reports/export-audit";

/** GET /dashboard/refunds/export?file=csv|xlsx&…: returns the refunds that match the filter in the list's URL, as a file. */
export async function GET(request: Request): Promise<Response> {
  const person = await requirePerson();
  const { pool, lists, now } = getContext();
  const params = new URL(request.url).searchParams;
  const filter = refundFilter.parse(Object.fromEntries(params));
  const form = parseFileForm(params);
  const download = { ...(await authenticateAction(person)), file: "refunds" } as const;
  await recordDownload(pool.db, { ...download, filter: refundFilter.write(filter) }, now());
  const bytes = exportRefunds(await lists.choose(), person.merchantId, filter, form);
  return fileAnswer(bytes, `refunds-${now().toISOString().slice(0, 10)}`, form);
}
