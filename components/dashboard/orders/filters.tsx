"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { FilterForm } from "@/components/dashboard/frame/filter-form";
import { FilterField, FilterPick, MoneyPicks } from "@/components/dashboard/frame/filter-pick";
import { callbackText, exceptionText, statusText } from "@/components/dashboard/frame/states";
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
  const query = writeOrderFilter(filter);
  return (
    <>
      <FilterForm
        path={PATH}
        search={{ label: "Search orders", placeholder: "Order id, your number, hash, address", text: filter.text }}
        query={query}
        clearTo={query === "" ? null : PATH}
        toQuery={(fields) => writeOrderFilter(parseOrderFilter(fields))}
        more={{
          isOpen: Boolean(filter.from || filter.to || filter.min || filter.max),
          fields: <Spans filter={filter} />,
        }}
      >
        <FilterPick name="status" label="Status" value={filter.status}>
          {ORDER_STATUSES.map((status) => ({ value: status, text: statusText(status) }))}
        </FilterPick>
        <FilterPick name="exception" label="Exception" value={filter.exception}>
          {ORDER_EXCEPTIONS.map((exception) => ({ value: exception, text: exceptionText(exception) }))}
        </FilterPick>
        <MoneyPicks filter={filter} networks={networks} />
        <FilterPick name="callback" label="Callback" value={filter.callback}>
          {CALLBACK_STATUSES.map((status) => ({ value: status, text: callbackText(status) }))}
        </FilterPick>
      </FilterForm>
      <Chips filter={filter} />
    </>
  );
}

function Spans({ filter: { from, to, min, max } }: { filter: OrderFilter }) {
  return (
    <>
      <FilterField name="from" label="Created from (UTC)" kind="day" value={from} />
      <FilterField name="to" label="Created until (UTC)" kind="day" value={to} />
      <FilterField name="min" label="Amount from" kind="amount" value={min} />
      <FilterField name="max" label="Amount up to" kind="amount" value={max} />
    </>
  );
}

const CHIP_TEXT: Record<keyof OrderFilter, (filter: OrderFilter) => string> = {
  text: ({ text }) => `“${text}”`,
  status: ({ status }) => (status ? statusText(status) : ""),
  exception: ({ exception }) => (exception ? exceptionText(exception) : ""),
  network: ({ network }) => (network ? getNetwork(network).name : ""),
  currency: ({ currency }) => currency ?? "",
  callback: ({ callback }) => (callback ? callbackText(callback) : ""),
  from: ({ from }) => `From ${from}`,
  to: ({ to }) => `Until ${to}`,
  min: ({ min }) => `≥ ${min}`,
  max: ({ max }) => `≤ ${max}`,
};

/** What is filtered by, each to be taken away. */
function Chips({ filter }: { filter: OrderFilter }) {
  const parts = partsOfFilter(filter);
  if (parts.length === 0) return null;
  return (
    <ul aria-label="Filtered by" className="-mt-1 mb-4 flex flex-wrap gap-1.5">
      {parts.map(({ field, rest }) => (
        <li key={field} className="min-w-0 max-w-full">
          <Link
            href={PATH + writeOrderFilter(rest)}
            className="flex items-center gap-1 rounded-full border border-line bg-surface py-0.5 pr-1.5 pl-2.5 text-xs hover:border-line-strong"
          >
            <span className="truncate">{CHIP_TEXT[field](filter)}</span>
            <X aria-hidden className="size-3 shrink-0 text-ink-soft" />
            <span className="sr-only">: take away</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
