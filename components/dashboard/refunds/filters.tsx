"use client";

import { useTranslations } from "next-intl";
import { FilterForm } from "@/components/dashboard/frame/filter-form";
import { FilterPick } from "@/components/dashboard/frame/filter-pick";
import type { NetworkName } from "@/lib/domain/networks";
import { type RefundFilter, refundFilter } from "@/lib/domain/refunds/filter";
import { REFUND_STATUSES } from "@/lib/domain/refunds/refund";

const PATH = "/dashboard/refunds";

/** Renders the filter of refunds. */
export function RefundFilters({ filter, networks }: { filter: RefundFilter; networks: readonly NetworkName[] }) {
  const t = useTranslations("refundPages");
  const general = useTranslations("filters");
  const query = refundFilter.write(filter);
  return (
    <FilterForm
      path={PATH}
      search={{ label: t("search"), placeholder: t("searchHint"), text: filter.text }}
      query={query}
      clearTo={query === "" ? null : PATH}
      toQuery={(fields) => refundFilter.write(refundFilter.parse(fields))}
    >
      <FilterPick name="status" label={t("status")} any={t("anyStatus")} value={filter.status}>
        {REFUND_STATUSES.map((status) => ({ value: status, text: t(`state.${status}`) }))}
      </FilterPick>
      <FilterPick name="network" label={general("network")} any={general("anyNetwork")} value={filter.network}>
        {networks.map(({ id, name }) => ({ value: id, text: name }))}
      </FilterPick>
    </FilterForm>
  );
}
