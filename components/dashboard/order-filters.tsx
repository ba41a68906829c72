"use client";

import { Search } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { FILTER_CONTROL, FilterPick } from "@/components/dashboard/filter-pick";
import { callbackText, statusText } from "@/components/dashboard/states";
import { Button } from "@/components/ui/button";
import { CURRENCIES, NETWORKS } from "@/lib/domain/networks";
import { ORDER_STATUSES } from "@/lib/domain/order";
import { CALLBACK_STATUSES, type OrderFilter, parseOrderFilter, writeOrderFilter } from "@/lib/domain/order-filter";

const PATH = "/dashboard/orders";

/** The filter of the orders list. It lives in the URL; without script the button sends it. */
export function OrderFilters({ filter }: { filter: OrderFilter }) {
  const router = useRouter();
  const apply = (form: HTMLFormElement) => {
    const fields = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    router.push(PATH + writeOrderFilter(parseOrderFilter(fields)));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    apply(event.currentTarget);
  };
  const isFiltered = writeOrderFilter(filter) !== "";
  return (
    <search>
      <form
        key={writeOrderFilter(filter)}
        action={PATH}
        onSubmit={submit}
        className="mb-4 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap"
      >
        <div className="relative col-span-2 sm:min-w-72 sm:flex-1">
          <Search aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-ink-soft" />
          <input
            type="search"
            name="q"
            aria-label="Search orders"
            placeholder="Order id, your number, tx hash or address"
            defaultValue={filter.text}
            className={`${FILTER_CONTROL} w-full pl-8`}
          />
        </div>
        <FilterPick name="status" label="Status" value={filter.status} onPick={apply}>
          {ORDER_STATUSES.map((status) => ({ value: status, text: statusText(status) }))}
        </FilterPick>
        <FilterPick name="network" label="Network" value={filter.network} onPick={apply}>
          {NETWORKS.map(({ id, name }) => ({ value: id, text: name }))}
        </FilterPick>
        <FilterPick name="currency" label="Currency" value={filter.currency} onPick={apply}>
          {CURRENCIES.map((currency) => ({ value: currency, text: currency }))}
        </FilterPick>
        <FilterPick name="callback" label="Callback" value={filter.callback} onPick={apply}>
          {CALLBACK_STATUSES.map((status) => ({ value: status, text: callbackText(status) }))}
        </FilterPick>
        <div className="flex gap-2">
          <Button type="submit" className="flex-1">
            Search
          </Button>
          {isFiltered ? (
            <Button asChild look="quiet">
              <Link href={PATH}>Clear</Link>
            </Button>
          ) : null}
        </div>
      </form>
    </search>
  );
}
