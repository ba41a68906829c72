"use client";

import { Search } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { FILTER_CONTROL, FilterPick } from "@/components/dashboard/filter-pick";
import { reasonText, transferStatusText } from "@/components/dashboard/states";
import { Button } from "@/components/ui/button";
import { CURRENCIES, NETWORKS } from "@/lib/domain/networks";
import { TRANSFER_STATUSES, UNMATCHED_REASONS } from "@/lib/domain/transfer";
import { parseTransferFilter, type TransferFilter, writeTransferFilter } from "@/lib/domain/transfer-filter";

const PATH = "/dashboard/transfers";

/** The filter of the ledger. It lives in the URL; without script the button sends it. */
export function TransferFilters({ filter }: { filter: TransferFilter }) {
  const router = useRouter();
  const apply = (form: HTMLFormElement) => {
    const fields = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    router.push(PATH + writeTransferFilter(parseTransferFilter(fields)));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    apply(event.currentTarget);
  };
  const { isUnmatched, ...rest } = filter;
  const home = PATH + (isUnmatched ? writeTransferFilter({ isUnmatched }) : "");
  return (
    <search>
      <form
        key={writeTransferFilter(filter)}
        action={PATH}
        onSubmit={submit}
        className="mb-4 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap"
      >
        {isUnmatched ? <input type="hidden" name="show" value="unmatched" /> : null}
        <div className="relative col-span-2 sm:min-w-60 sm:flex-1">
          <Search aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-ink-soft" />
          <input
            type="search"
            name="q"
            aria-label="Search transfers"
            placeholder="Transaction hash or address"
            defaultValue={filter.text}
            className={`${FILTER_CONTROL} w-full pl-8`}
          />
        </div>
        <FilterPick name="status" label="Status" value={filter.status} onPick={apply}>
          {TRANSFER_STATUSES.map((status) => ({ value: status, text: transferStatusText(status) }))}
        </FilterPick>
        <FilterPick name="network" label="Network" value={filter.network} onPick={apply}>
          {NETWORKS.map(({ id, name }) => ({ value: id, text: name }))}
        </FilterPick>
        <FilterPick name="currency" label="Currency" value={filter.currency} onPick={apply}>
          {CURRENCIES.map((currency) => ({ value: currency, text: currency }))}
        </FilterPick>
        <FilterPick name="reason" label="Reason" value={filter.reason} onPick={apply}>
          {UNMATCHED_REASONS.map((reason) => ({ value: reason, text: reasonText(reason) }))}
        </FilterPick>
        <div className="flex gap-2">
          <Button type="submit" className="flex-1">
            Search
          </Button>
          {writeTransferFilter(rest) !== "" ? (
            <Button asChild look="quiet">
              <Link href={home}>Clear</Link>
            </Button>
          ) : null}
        </div>
      </form>
    </search>
  );
}
