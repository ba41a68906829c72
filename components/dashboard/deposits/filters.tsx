"use client";

import { useTranslations } from "next-intl";
import { FilterForm } from "@/components/dashboard/frame/filter-form";
import { FilterPick } from "@/components/dashboard/frame/filter-pick";
import { type DepositFilter, depositFilter } from "@/lib/domain/deposits/filter";
import type { NetworkName } from "@/lib/domain/networks";

const PATH = "/dashboard/deposits";

/** Renders the filter of deposit addresses. */
export function DepositFilters({ filter, networks }: { filter: DepositFilter; networks: readonly NetworkName[] }) {
  const t = useTranslations("filters");
  const query = depositFilter.write(filter);
  return (
    <FilterForm
      path={PATH}
      search={{ label: t("searchDeposits"), placeholder: t("depositPlaceholder"), text: filter.text }}
      query={query}
      clearTo={query === "" ? null : PATH}
      toQuery={(fields) => depositFilter.write(depositFilter.parse(fields))}
    >
      <FilterPick name="network" label={t("network")} any={t("anyNetwork")} value={filter.network}>
        {networks.map(({ id, name }) => ({ value: id, text: name }))}
      </FilterPick>
    </FilterForm>
  );
}
