"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { FilterForm } from "@/components/dashboard/frame/filter-form";
import { FilterField, FilterPick, MoneyPicks } from "@/components/dashboard/frame/filter-pick";
import { getNetwork, type NetworkName } from "@/lib/domain/networks";
import {
  CALLBACK_STATUSES,
  type OrderFilter,
  parseOrderFilter,
  partsOfFilter,
  writeOrderFilter,
} from "@/lib/domain/orders/filter";
import { ORDER_EXCEPTIONS, ORDER_STATUSES } from "@/lib/domain/orders/order";

const PATH = "/dashboard/orders";

/** The filter of the orders list. */
export function OrderFilters({ filter, networks }: { filter: OrderFilter; networks: readonly NetworkName[] }) {
  const t = useTranslations("filters");
  const state = useTranslations("states");
  const query = writeOrderFilter(filter);
  return (
    <>
      <FilterForm
        path={PATH}
        search={{ label: t("searchOrders"), placeholder: t("orderPlaceholder"), text: filter.text }}
        query={query}
        clearTo={query === "" ? null : PATH}
        toQuery={(fields) => writeOrderFilter(parseOrderFilter(fields))}
        more={{
          isOpen: Boolean(filter.from || filter.to || filter.min || filter.max),
          fields: <Spans filter={filter} />,
        }}
      >
        <FilterPick name="status" label={t("status")} any={t("anyStatus")} value={filter.status}>
          {ORDER_STATUSES.map((status) => ({ value: status, text: state(`order.${status}`) }))}
        </FilterPick>
        <FilterPick name="exception" label={t("exception")} any={t("anyException")} value={filter.exception}>
          {ORDER_EXCEPTIONS.map((exception) => ({ value: exception, text: state(`exception.${exception}`) }))}
        </FilterPick>
        <MoneyPicks filter={filter} networks={networks} />
        <FilterPick name="callback" label={t("callback")} any={t("anyCallback")} value={filter.callback}>
          {CALLBACK_STATUSES.map((status) => ({ value: status, text: state(`callbackFilter.${status}`) }))}
        </FilterPick>
      </FilterForm>
      <Chips filter={filter} />
    </>
  );
}

function Spans({ filter: { from, to, min, max } }: { filter: OrderFilter }) {
  const t = useTranslations("filters");
  return (
    <>
      <FilterField name="from" label={t("from")} kind="day" value={from} />
      <FilterField name="to" label={t("to")} kind="day" value={to} />
      <FilterField name="min" label={t("min")} kind="amount" value={min} />
      <FilterField name="max" label={t("max")} kind="amount" value={max} />
    </>
  );
}

/** What one field of a filter asks for, in words. */
function useChipText(): (field: keyof OrderFilter, filter: OrderFilter) => string {
  const t = useTranslations("filters");
  const state = useTranslations("states");
  return (field, { status, exception, network, callback, ...typed }) => {
    if (field === "status") return status ? state(`order.${status}`) : "";
    if (field === "exception") return exception ? state(`exception.${exception}`) : "";
    if (field === "callback") return callback ? state(`callbackFilter.${callback}`) : "";
    if (field === "network") return network ? getNetwork(network).name : "";
    if (field === "from") return t("fromDay", { day: typed.from ?? "" });
    if (field === "to") return t("untilDay", { day: typed.to ?? "" });
    if (field === "min") return `≥ ${typed.min}`;
    return field === "max" ? `≤ ${typed.max}` : (typed[field] ?? "");
  };
}

/** What is filtered by, each to be taken away. */
function Chips({ filter }: { filter: OrderFilter }) {
  const t = useTranslations("filters");
  const chipText = useChipText();
  const parts = partsOfFilter(filter);
  if (parts.length === 0) return null;
  return (
    <ul aria-label={t("filteredBy")} className="-mt-1 mb-4 flex flex-wrap gap-1.5">
      {parts.map(({ field, rest }) => (
        <li key={field} className="min-w-0 max-w-full">
          <Link
            href={PATH + writeOrderFilter(rest)}
            className="flex items-center gap-1 rounded-full border border-line bg-surface py-0.5 pr-1.5 pl-2.5 text-xs hover:border-line-strong"
          >
            <span className="truncate">{chipText(field, filter)}</span>
            <X aria-hidden className="size-3 shrink-0 text-ink-soft" />
            <span className="sr-only">{t("takeAway")}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
