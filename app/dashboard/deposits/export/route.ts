import { getContext } from "@/app/context";
import { fileAnswer } from "@/app/dashboard/file-answer";
import { authenticateAction, requirePerson } from "@/app/session";
import { exportDeposits } from "@/lib/deposits/export-deposits";
import { depositFilter } from "@/lib/domain/deposits/filter";
import { parseFileForm } from "@/lib/domain/reports";
import { recordDownload } from "@/lib/reports/export-audit";

/**
 * GET /dashboard/deposits/export?file=csv|xlsx&…: returns the deposit addresses that match the filter in the list's
 * URL, as a file.
 */
export async function GET(request: Request): Promise<Response> {
  const person = await requirePerson();
  const { pool, lists, now } = getContext();
  const params = new URL(request.url).searchParams;
  const filter = depositFilter.parse(Object.fromEntries(params));
  const form = parseFileForm(params);
  const download = { ...(await authenticateAction(person)), file: "deposits" } as const;
  await recordDownload(pool.db, { ...download, filter: depositFilter.write(filter) }, now());
  const bytes = exportDeposits(await lists.choose(), person.merchantId, filter, form);
  return fileAnswer(bytes, `deposits-${now().toISOString().slice(0, 10)}`, form);
}
