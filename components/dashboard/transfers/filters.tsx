"use client";

import { FilterForm } from "@/components/dashboard/frame/filter-form";
import { FilterPick, MoneyPicks } from "@/components/dashboard/frame/filter-pick";
import { reasonText, transferStatusText } from "@/components/dashboard/frame/states";
import type { NetworkName } from "@/lib/domain/networks";
import { parseTransferFilter, type TransferFilter, writeTransferFilter } from "@/lib/domain/transfers/filter";
import { TRANSFER_STATUSES, UNMATCHED_REASONS } from "@/lib/domain/transfers/transfer";

const PATH = "/dashboard/transfers";

/** The filter of the ledger; "Clear" keeps the tab. */
export function TransferFilters({ filter, networks }: { filter: TransferFilter; networks: readonly NetworkName[] }) {
  const { isUnmatched, ...rest } = filter;
  const tab = isUnmatched ? writeTransferFilter({ isUnmatched }) : "";
  return (
    <FilterForm
      path={PATH}
      search={{ label: "Search transfers", placeholder: "Hash or address", text: filter.text }}
      query={writeTransferFilter(filter)}
      clearTo={writeTransferFilter(rest) === "" ? null : PATH + tab}
      toQuery={(fields) => writeTransferFilter(parseTransferFilter(fields))}
    >
      {isUnmatched ? <input type="hidden" name="show" value="unmatched" /> : null}
      <FilterPick name="status" label="Status" value={filter.status}>
        {TRANSFER_STATUSES.map((status) => ({ value: status, text: transferStatusText(status) }))}
      </FilterPick>
      <MoneyPicks filter={filter} networks={networks} />
      <FilterPick name="reason" label="Reason" value={filter.reason}>
        {UNMATCHED_REASONS.map((reason) => ({ value: reason, text: reasonText(reason) }))}
      </FilterPick>
    </FilterForm>
  );
}
