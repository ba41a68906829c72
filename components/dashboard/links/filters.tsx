"use client";

import { useTranslations } from "next-intl";
import { FilterForm } from "@/components/dashboard/frame/filter-form";
import { FilterPick } from "@/components/dashboard/frame/filter-pick";
import { type LinkFilter, linkFilter } from "@/lib/domain/links/filter";
import { LINK_STATUSES } from "@/lib/domain/links/link";

const PATH = "/dashboard/links";

/** Renders the filter of payment links. */
export function LinkFilters({ filter }: { filter: LinkFilter }) {
  const t = useTranslations("linkPages");
  const query = linkFilter.write(filter);
  return (
    <FilterForm
      path={PATH}
      search={{ label: t("search"), placeholder: t("searchHint"), text: filter.text }}
      query={query}
      clearTo={query === "" ? null : PATH}
      toQuery={(fields) => linkFilter.write(linkFilter.parse(fields))}
    >
      <FilterPick name="status" label={t("status")} any={t("anyStatus")} value={filter.status}>
        {LINK_STATUSES.map((status) => ({ value: status, text: t(`state.${status}`) }))}
      </FilterPick>
    </FilterForm>
  );
}
