"use client";

import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { type ReactNode, useContext, useState } from "react";
import { FormScope } from "@/components/ui/form/form-state";
import { type LivePage, type LiveRow, mergeLive, readLive } from "@/lib/domain/live-rows";
import { installChanged, type Network } from "@/lib/domain/networks";

const EVERY_MS = 4_000;

interface LiveScopeProps {
  /** The networks that the operator of this installation changed. The lists use the changed properties of these networks. */
  changed: readonly Network[];
  children: ReactNode;
}

/** Provides the query client that the lists below it need to update themselves. */
export function LiveScope({ changed, children }: LiveScopeProps) {
  const [client] = useState(() => {
    if (typeof window !== "undefined") installChanged(changed);
    return new QueryClient();
  });
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

/** The reason why a list no longer updates: the session ended, or another window switched to another shop. */
export type LiveEnd = "signedOut" | "otherShop";

class LiveEnded extends Error {
  readonly why: LiveEnd;
  constructor(why: LiveEnd) {
    super(why);
    this.why = why;
  }
}

export interface LiveListProps<Row> {
  /** The query of the page's URL: filter and position. */
  query: string;
  pageSize: number;
  /** The rows that the server read at the time `at`, for the first paint. */
  rows: readonly Row[];
  at: Date;
}

export interface Live<Row> {
  rows: readonly LiveRow<Row>[];
  newCount: number;
  at: Date;
  state: "live" | "unreachable" | LiveEnd;
}

/** Returns the rows of a list, which are requested again every few seconds while the page is visible. */
export function useLiveRows<Row extends { id: string }>(path: string, list: LiveListProps<Row>): Live<Row> {
  const { shop = "" } = useContext(FormScope);
  const { rows, at, query, pageSize } = list;
  const { data, error } = useQuery({
    queryKey: [path, query, shop],
    queryFn: ({ signal }) => fetchRows<Row>(`${path}/live${query}`, shop, signal),
    initialData: { rows: [...rows], until: null, at },
    staleTime: EVERY_MS,
    retry: false,
    refetchInterval: ({ state }) => (isOver(state.error) ? false : EVERY_MS),
    refetchOnWindowFocus: ({ state }) => !isOver(state.error),
    refetchOnReconnect: ({ state }) => !isOver(state.error),
  });
  const state = isOver(error) ? error.why : error ? "unreachable" : "live";
  // Data that was cached before the server rendered this page would restore old rows.
  const isNewer = data.at > at;
  const merged = mergeLive(rows, isNewer ? data : { rows: [...rows], until: null, at }, pageSize);
  return { ...merged, at: isNewer ? data.at : at, state };
}

const isOver = (error: unknown): error is LiveEnded => error instanceof LiveEnded;

async function fetchRows<Row>(url: string, shop: string, signal: AbortSignal): Promise<LivePage<Row>> {
  const to = new URL(url, window.location.href);
  to.searchParams.set("shop", shop);
  const response = await fetch(to, { signal, redirect: "manual" });
  // A user who is no longer signed in is redirected to the sign-in page.
  if (response.type === "opaqueredirect") throw new LiveEnded("signedOut");
  if (response.status === 409) throw new LiveEnded("otherShop");
  if (!response.ok) throw new Error(`Status ${response.status}`);
  return readLive(await response.text());
}
