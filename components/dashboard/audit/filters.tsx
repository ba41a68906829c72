"use client";

import { useTranslations } from "next-intl";
import { FilterChips } from "@/components/dashboard/frame/filter-chips";
import { FilterForm } from "@/components/dashboard/frame/filter-form";
import { FilterField, FilterPick } from "@/components/dashboard/frame/filter-pick";
import { type AuditFilter, auditFilter } from "@/lib/domain/audit/audit";

interface Choice {
  value: string;
  text: string;
}

interface AuditFiltersProps {
  path: string;
  filter: AuditFilter;
  /** The translated choices that are currently available; `actions` are those of the selected group. */
  users: readonly Choice[];
  groups: readonly Choice[];
  actions: readonly Choice[];
  labels: { label: string; placeholder: string; who: string; anybody: string; group: string; any: string };
}

/** Renders the filter of the audit log. */
export function AuditFilters({ path, filter, users, groups, actions, labels }: AuditFiltersProps) {
  const t = useTranslations("filters");
  const query = auditFilter.write(filter);
  const picked = (choices: readonly Choice[], value = "") => choices.find((one) => one.value === value)?.text ?? value;
  const textOf = (field: keyof AuditFilter) => {
    if (field === "who") return picked(users, filter.who);
    if (field === "group") return picked(groups, filter.group);
    if (field === "action") return picked(actions, filter.action);
    if (field === "from") return t("fromDay", { day: filter.from ?? "" });
    return field === "to" ? t("untilDay", { day: filter.to ?? "" }) : (filter[field] ?? "");
  };
  const chips = auditFilter
    .parts(filter)
    .map(({ field, rest }) => ({ field, text: textOf(field), href: path + auditFilter.write(rest) }));
  return (
    <>
      <FilterForm
        path={path}
        search={{ label: labels.label, placeholder: labels.placeholder, text: filter.text }}
        query={query}
        clearTo={query === "" ? null : path}
        toQuery={(fields) => auditFilter.write(auditFilter.parse(fields))}
        more={{
          isOpen: Boolean(filter.from || filter.to),
          name: t("dates"),
          fields: (
            <>
              <FilterField name="from" label={t("from")} kind="day" value={filter.from} />
              <FilterField name="to" label={t("to")} kind="day" value={filter.to} />
            </>
          ),
        }}
      >
        <FilterPick name="who" label={labels.who} any={labels.anybody} value={filter.who}>
          {users}
        </FilterPick>
        <FilterPick name="group" label={labels.group} any={labels.any} value={filter.group}>
          {groups}
        </FilterPick>
        {filter.group || filter.action ? (
          <FilterPick name="action" label={t("event")} any={t("anyEvent")} value={filter.action}>
            {actions}
          </FilterPick>
        ) : null}
      </FilterForm>
      <FilterChips chips={chips} />
    </>
  );
}
