"use client";

import { useTranslations } from "next-intl";
import { FilterChips } from "@/components/dashboard/frame/filter-chips";
import { FilterForm } from "@/components/dashboard/frame/filter-form";
import { CurrencyPicks, FilterField, FilterPick } from "@/components/dashboard/frame/filter-pick";
import { API_ORIGIN } from "@/lib/domain/integration-id";
import type { IntegrationName } from "@/lib/domain/integrations/integration";
import { getNetwork, type NetworkName } from "@/lib/domain/networks";
import { CALLBACK_STATUSES, type OrderFilter, orderFilter } from "@/lib/domain/orders/filter";
import { ORDER_EXCEPTIONS, ORDER_STATUSES } from "@/lib/domain/orders/order";

const PATH = "/dashboard/orders";

interface OrderFiltersProps {
  filter: OrderFilter;
  networks: readonly NetworkName[];
  integrations: readonly IntegrationName[];
}

/** Renders the filter of the orders list. */
export function OrderFilters({ filter, networks, integrations }: OrderFiltersProps) {
  const t = useTranslations("filters");
  const state = useTranslations("states");
  const chipText = useChipText(integrations);
  const query = orderFilter.write(filter);
  const chips = orderFilter
    .parts(filter)
    .map(({ field, rest }) => ({ field, text: chipText(field, filter), href: PATH + orderFilter.write(rest) }));
  return (
    <>
      <FilterForm
        path={PATH}
        search={{ label: t("searchOrders"), placeholder: t("orderPlaceholder"), text: filter.text }}
        query={query}
        clearTo={query === "" ? null : PATH}
        toQuery={(fields) => orderFilter.write(orderFilter.parse(fields))}
        more={{
          name: t("more"),
          isOpen: Boolean(filter.integration || filter.from || filter.to || filter.min || filter.max),
          fields: <Spans filter={filter} integrations={integrations} />,
        }}
      >
        <FilterPick name="status" label={t("status")} any={t("anyStatus")} value={filter.status}>
          {ORDER_STATUSES.map((status) => ({ value: status, text: state(`order.${status}`) }))}
        </FilterPick>
        <FilterPick name="exception" label={t("exception")} any={t("anyException")} value={filter.exception}>
          {ORDER_EXCEPTIONS.map((exception) => ({ value: exception, text: state(`exception.${exception}`) }))}
        </FilterPick>
        <CurrencyPicks filter={filter} networks={networks} />
        <FilterPick name="callback" label={t("callback")} any={t("anyCallback")} value={filter.callback}>
          {CALLBACK_STATUSES.map((status) => ({ value: status, text: state(`callbackFilter.${status}`) }))}
        </FilterPick>
      </FilterForm>
      <FilterChips chips={chips} />
    </>
  );
}

function Spans({ filter, integrations }: Pick<OrderFiltersProps, "filter" | "integrations">) {
  const { integration, from, to, min, max } = filter;
  const t = useTranslations("filters");
  const state = useTranslations("states");
  const origins = [
    { value: API_ORIGIN, text: state("api") },
    ...integrations.map(({ id, name }) => ({ value: id, text: name })),
  ];
  return (
    <>
      <FilterPick name="integration" label={t("integration")} any={t("anyIntegration")} value={integration}>
        {origins}
      </FilterPick>
      <FilterField name="from" label={t("from")} kind="day" value={from} />
      <FilterField name="to" label={t("to")} kind="day" value={to} />
      <FilterField name="min" label={t("min")} kind="amount" value={min} />
      <FilterField name="max" label={t("max")} kind="amount" value={max} />
    </>
  );
}

/** Returns a function that describes one field of a filter. */
function useChipText(
  integrations: readonly IntegrationName[],
): (field: keyof OrderFilter, filter: OrderFilter) => string {
  const t = useTranslations("filters");
  const state = useTranslations("states");
  return (field, { status, exception, network, callback, integration, ...typed }) => {
    if (field === "status") return status ? state(`order.${status}`) : "";
    if (field === "exception") return exception ? state(`exception.${exception}`) : "";
    if (field === "callback") return callback ? state(`callbackFilter.${callback}`) : "";
    if (field === "integration")
      return integration === API_ORIGIN
        ? state("api")
        : (integrations.find(({ id }) => id === integration)?.name ?? integration ?? "");
    if (field === "network") return network ? getNetwork(network).name : "";
    if (field === "from") return t("fromDay", { day: typed.from ?? "" });
    if (field === "to") return t("untilDay", { day: typed.to ?? "" });
    if (field === "min") return `≥ ${typed.min}`;
    return field === "max" ? `≤ ${typed.max}` : (typed[field] ?? "");
  };
}
