import { ScrollText } from "lucide-react";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { AuditFilters } from "@/components/dashboard/audit/filters";
import { AuditList } from "@/components/dashboard/audit/list";
import { DownloadMenu } from "@/components/dashboard/frame/download-menu";
import { ListEnd, NothingFits, NothingYet } from "@/components/dashboard/frame/list-ends";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { listAuditEvents } from "@/db/queries/merchants/audit-list";
import { listMembers } from "@/db/queries/users/memberships";
import { AUDIT_GROUPS, type AuditFilter, actionsOf, auditFilter, SERVICE } from "@/lib/domain/audit/audit";
import { may } from "@/lib/domain/keys/role";
import { PAGE_SIZE, parseListCursor, type SearchParams } from "@/lib/domain/list-cursor";

export const generateMetadata = pageTitle("audit");

const PATH = "/dashboard/settings/audit";

export default async function AuditPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { merchantId, role } = await requirePerson();
  if (!may(role, "work")) notFound();
  const { lists, now } = getContext();
  const t = await getTranslations("audit");
  const params = await searchParams;
  const filter = auditFilter.parse(params);
  const cursor = parseListCursor(params);
  const [page, choices] = await Promise.all([
    lists.read((db) => listAuditEvents(db, merchantId, filter, cursor, PAGE_SIZE)),
    choicesOf(merchantId, filter),
  ]);
  const query = auditFilter.write(filter, cursor);
  return (
    <>
      <PageHead
        title={t("title")}
        hint={t("hint")}
        action={<DownloadMenu path={`${PATH}/export`} query={auditFilter.write(filter)} />}
      />
      <AuditFilters path={PATH} filter={filter} {...choices} />
      <Card isFlush>
        {page.rows.length > 0 ? (
          <AuditList path={PATH} lines={page.rows} now={now()} />
        ) : page.lookedUntil && page.older ? (
          <NothingYet at={page.lookedUntil} older={PATH + auditFilter.write(filter, page.older)} />
        ) : query !== "" ? (
          <NothingFits title={t("nothingFits")} hint={t("lookFor")} all={{ href: PATH, text: t("showAll") }} />
        ) : (
          <EmptyState Icon={ScrollText} title={t("none")}>
            <p>{t("noneHint")}</p>
          </EmptyState>
        )}
        <ListEnd page={page} hrefOf={(to) => PATH + auditFilter.write(filter, to)} />
      </Card>
    </>
  );
}

/** Returns the choices of the filter as translated text. Only these descriptions of actions are sent to the browser. */
async function choicesOf(merchantId: string, filter: AuditFilter) {
  const t = await getTranslations("audit");
  const actionText = await getTranslations("auditActions");
  const members = await listMembers(getContext().pool.db, merchantId);
  return {
    users: [
      ...members.map(({ userId, email }) => ({ value: userId, text: email })),
      { value: SERVICE, text: t("service") },
    ],
    groups: AUDIT_GROUPS.map((group) => ({ value: group, text: t(`group.${group}`) })),
    actions: (actionsOf(filter.group ? { group: filter.group } : filter) ?? []).map((action) => ({
      value: action,
      text: actionText(action),
    })),
    labels: {
      label: t("search"),
      placeholder: t("searchHint"),
      who: t("who"),
      anybody: t("anybody"),
      group: t("about"),
      any: t("anything"),
    },
  };
}
