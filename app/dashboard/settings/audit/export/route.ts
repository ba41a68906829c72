import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { fileAnswer } from "@/app/dashboard/file-answer";
import { authenticateAction, requirePerson } from "@/app/session";
import { lineWriter } from "@/components/dashboard/audit/line-texts";
import { auditFilter } from "@/lib/domain/audit/audit";
import { may } from "@/lib/domain/keys/role";
import { parseFileForm } from "@/lib/domain/reports";
import { type AuditTexts, exportAudit, recordDownload } from "@/lib/reports/export-audit";

type Line = Parameters<ReturnType<typeof lineWriter>>[0];

/**
 * GET /dashboard/settings/audit/export?file=csv|xlsx&…: returns the audit log that matches the filter in the list's
 * URL, as a file.
 */
export async function GET(request: Request): Promise<Response> {
  const person = await requirePerson();
  const { merchantId, role } = person;
  if (!may(role, "work")) notFound();
  const { pool, lists, now } = getContext();
  const params = new URL(request.url).searchParams;
  const filter = auditFilter.parse(Object.fromEntries(params));
  const form = parseFileForm(params);
  const write = lineWriter(await getTranslations("audit"), await getTranslations("auditActions"));
  const toTexts = (line: Line): AuditTexts => {
    const { actionText, from, facts } = write(line);
    return { actionText, from, details: facts.map(({ label, value }) => `${label}: ${value}`).join("; ") };
  };
  const download = { ...(await authenticateAction(person)), file: "audit", filter: auditFilter.write(filter) } as const;
  await recordDownload(pool.db, download, now());
  const bytes = exportAudit(await lists.choose(), merchantId, { filter, toTexts }, form);
  return fileAnswer(bytes, `audit-${now().toISOString().slice(0, 10)}`, form);
}
