import { getContext } from "@/app/context";
import { fileAnswer } from "@/app/dashboard/file-answer";
import { authenticateAction, requirePerson } from "@/app/session";
import { parseFileForm, readMonth } from "@/lib/domain/reports";
import { balanceSheet } from "@/lib/reports/balances";
import { recordDownload } from "@/lib/reports/export-audit";
import { exportMonth } from "@/lib/reports/month-report";

/** GET /dashboard/reports/export?month=2026-11&file=csv|xlsx: returns the transfers of a month as a file. */
export async function GET(request: Request): Promise<Response> {
  const person = await requirePerson();
  const { env, pool, lists, now } = getContext();
  const params = new URL(request.url).searchParams;
  const month = readMonth(params.get("month") ?? "", now());
  const form = parseFileForm(params);
  const download = { ...(await authenticateAction(person)), file: "transfers" } as const;
  await recordDownload(pool.db, { ...download, filter: `?month=${month.name}` }, now());
  const db = await lists.choose();
  const balances = balanceSheet(db, new Set(env.rpcUrls.keys()), person.merchantId);
  const bytes = exportMonth(db, person.merchantId, month, form, [balances]);
  return fileAnswer(bytes, `transfers-${month.name}`, form);
}
