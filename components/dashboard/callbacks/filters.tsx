"use client";

import { useTranslations } from "next-intl";
import { FilterChips } from "@/components/dashboard/frame/filter-chips";
import { FilterForm } from "@/components/dashboard/frame/filter-form";
import { FilterField, FilterPick } from "@/components/dashboard/frame/filter-pick";
import { CALLBACK_TYPES, type CallbackFilter, callbackFilter } from "@/lib/domain/callbacks/filter";
import { CALLBACK_STATUSES } from "@/lib/domain/orders/filter";

const PATH = "/dashboard/callbacks";

/** Renders the filter of the list of callbacks. */
export function CallbackFilters({ filter }: { filter: CallbackFilter }) {
  const t = useTranslations("filters");
  const state = useTranslations("states");
  const query = callbackFilter.write(filter);
  const textOf = (field: keyof CallbackFilter) => {
    if (field === "status" && filter.status) return state(`callback.${filter.status}`);
    if (field === "from") return t("fromDay", { day: filter.from ?? "" });
    return field === "to" ? t("untilDay", { day: filter.to ?? "" }) : (filter[field] ?? "");
  };
  const chips = callbackFilter
    .parts(filter)
    .map(({ field, rest }) => ({ field, text: textOf(field), href: PATH + callbackFilter.write(rest) }));
  return (
    <>
      <FilterForm
        path={PATH}
        search={{ label: t("searchHost"), placeholder: t("hostPlaceholder"), text: filter.host }}
        query={query}
        clearTo={query === "" ? null : PATH}
        toQuery={(fields) => callbackFilter.write(callbackFilter.parse(fields))}
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
        <FilterPick name="status" label={t("status")} any={t("anyStatus")} value={filter.status}>
          {CALLBACK_STATUSES.map((status) => ({ value: status, text: state(`callback.${status}`) }))}
        </FilterPick>
        <FilterPick name="type" label={t("event")} any={t("anyEvent")} value={filter.type}>
          {CALLBACK_TYPES.map((type) => ({ value: type, text: type }))}
        </FilterPick>
      </FilterForm>
      <FilterChips chips={chips} />
    </>
  );
}
