"use client";

import { FilterForm } from "@/components/dashboard/frame/filter-form";
import { FilterPick, MoneyPicks } from "@/components/dashboard/frame/filter-pick";
import { callbackText, statusText } from "@/components/dashboard/frame/states";
import type { NetworkName } from "@/lib/domain/networks";
import { CALLBACK_STATUSES, type OrderFilter, parseOrderFilter, writeOrderFilter } from "@/lib/domain/orders/filter";
import { ORDER_STATUSES } from "@/lib/domain/orders/order";

const PATH = "/dashboard/orders";

/** The filter of the orders list. */
export function OrderFilters({ filter, networks }: { filter: OrderFilter; networks: readonly NetworkName[] }) {
  const query = writeOrderFilter(filter);
  return (
    <FilterForm
      path={PATH}
      search={{ label: "Search orders", placeholder: "Order id, your number, hash, address", text: filter.text }}
      query={query}
      clearTo={query === "" ? null : PATH}
      toQuery={(fields) => writeOrderFilter(parseOrderFilter(fields))}
    >
      <FilterPick name="status" label="Status" value={filter.status}>
        {ORDER_STATUSES.map((status) => ({ value: status, text: statusText(status) }))}
      </FilterPick>
      <MoneyPicks filter={filter} networks={networks} />
      <FilterPick name="callback" label="Callback" value={filter.callback}>
        {CALLBACK_STATUSES.map((status) => ({ value: status, text: callbackText(status) }))}
      </FilterPick>
    </FilterForm>
  );
}
