"use client";

import { useTranslations } from "next-intl";
import { FilterForm } from "@/components/dashboard/frame/filter-form";
import { CurrencyPicks, FilterPick } from "@/components/dashboard/frame/filter-pick";
import type { NetworkName } from "@/lib/domain/networks";
import { type TransferFilter, transferFilter } from "@/lib/domain/transfers/filter";
import { TRANSFER_STATUSES, UNMATCHED_REASONS } from "@/lib/domain/transfers/transfer";

const PATH = "/dashboard/transfers";

/** Renders the filter of the ledger. Clearing the filter keeps the selected tab. */
export function TransferFilters({ filter, networks }: { filter: TransferFilter; networks: readonly NetworkName[] }) {
  const t = useTranslations("filters");
  const state = useTranslations("states");
  const { show, ...rest } = filter;
  const tab = show ? transferFilter.write({ show }) : "";
  return (
    <FilterForm
      path={PATH}
      search={{ label: t("searchTransfers"), placeholder: t("transferPlaceholder"), text: filter.text }}
      query={transferFilter.write(filter)}
      clearTo={transferFilter.write(rest) === "" ? null : PATH + tab}
      toQuery={(fields) => transferFilter.write(transferFilter.parse(fields))}
    >
      {show ? <input type="hidden" name="show" value="unmatched" /> : null}
      <FilterPick name="status" label={t("status")} any={t("anyStatus")} value={filter.status}>
        {TRANSFER_STATUSES.map((status) => ({ value: status, text: state(`transfer.${status}`) }))}
      </FilterPick>
      <CurrencyPicks filter={filter} networks={networks} />
      <FilterPick name="reason" label={t("reason")} any={t("anyReason")} value={filter.reason}>
        {UNMATCHED_REASONS.map((reason) => ({ value: reason, text: state(`reason.${reason}`) }))}
      </FilterPick>
    </FilterForm>
  );
}
