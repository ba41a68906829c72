"use client";

import { useTranslations } from "next-intl";
import { FilterForm } from "@/components/dashboard/frame/filter-form";
import { FilterPick, MoneyPicks } from "@/components/dashboard/frame/filter-pick";
import type { NetworkName } from "@/lib/domain/networks";
import { CALLBACK_STATUSES, type OrderFilter, parseOrderFilter, writeOrderFilter } from "@/lib/domain/orders/filter";
import { ORDER_STATUSES } from "@/lib/domain/orders/order";

const PATH = "/dashboard/orders";

/** The filter of the orders list. */
export function OrderFilters({ filter, networks }: { filter: OrderFilter; networks: readonly NetworkName[] }) {
  const t = useTranslations("filters");
  const state = useTranslations("states");
  const query = writeOrderFilter(filter);
  return (
    <FilterForm
      path={PATH}
      search={{ label: t("searchOrders"), placeholder: t("orderPlaceholder"), text: filter.text }}
      query={query}
      clearTo={query === "" ? null : PATH}
      toQuery={(fields) => writeOrderFilter(parseOrderFilter(fields))}
    >
      <FilterPick name="status" label={t("status")} any={t("anyStatus")} value={filter.status}>
        {ORDER_STATUSES.map((status) => ({ value: status, text: state(`order.${status}`) }))}
      </FilterPick>
      <MoneyPicks filter={filter} networks={networks} />
      <FilterPick name="callback" label={t("callback")} any={t("anyCallback")} value={filter.callback}>
        {CALLBACK_STATUSES.map((status) => ({ value: status, text: state(`callbackFilter.${status}`) }))}
      </FilterPick>
    </FilterForm>
  );
}
