"use client";

import { ArrowUp } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type CallbackRow, CallbackTable } from "@/components/dashboard/callbacks/table";
import { type Live, type LiveListProps, useLiveRows } from "@/components/dashboard/live/use-live-rows";
import { type OrderRow, OrderTable } from "@/components/dashboard/orders/table";
import { FreshRows } from "@/components/dashboard/transfers/fresh-rows";
import { type TransferRow, TransferTable } from "@/components/dashboard/transfers/table";
import { Button } from "@/components/ui/button";

interface Fallback {
  /** The content that is shown instead of a table without rows. */
  empty: ReactNode;
}

/** Renders the orders list, which updates itself. */
export function LiveOrders({ empty, ...list }: LiveListProps<OrderRow> & Fallback) {
  const live = useLiveRows<OrderRow>("/dashboard/orders", list);
  return (
    <LiveFrame live={live} of="newOrders" empty={empty}>
      <OrderTable {...tableOf(live)} orders={rowsOf(live)} isWide />
    </LiveFrame>
  );
}

/** Renders the ledger, which updates itself. */
export function LiveTransfers({
  empty,
  isSandbox,
  ...list
}: LiveListProps<TransferRow> & Fallback & { isSandbox: boolean }) {
  const live = useLiveRows<TransferRow>("/dashboard/transfers", list);
  return (
    <LiveFrame live={live} of="newTransfers" empty={empty}>
      <TransferTable {...tableOf(live)} transfers={rowsOf(live)} isSandbox={isSandbox} />
    </LiveFrame>
  );
}

/** Renders the server-rendered list of unmatched transfers. New transfers are announced, and settled ones are marked. */
export function LiveUnmatched({
  empty,
  children,
  ...list
}: LiveListProps<TransferRow> & Fallback & { children: ReactNode }) {
  const live = useLiveRows<TransferRow>("/dashboard/transfers", list);
  return (
    <LiveFrame live={live} of="newTransfers" empty={empty}>
      <FreshRows value={new Map(live.rows.map((one) => [one.row.id, one]))}>{children}</FreshRows>
    </LiveFrame>
  );
}

/** Renders the list of callbacks, which updates itself. */
export function LiveCallbacks({ empty, ...list }: LiveListProps<CallbackRow> & Fallback) {
  const live = useLiveRows<CallbackRow>("/dashboard/callbacks", list);
  return (
    <LiveFrame live={live} of="newCallbacks" empty={empty}>
      <CallbackTable {...tableOf(live)} callbacks={rowsOf(live)} />
    </LiveFrame>
  );
}

const rowsOf = <Row,>({ rows }: Live<Row>) => rows.map(({ row }) => row);
const tableOf = <Row extends { id: string }>({ rows, at }: Live<Row>) => ({
  now: at,
  gone: new Set(rows.filter(({ isGone }) => isGone).map(({ row }) => row.id)),
});

interface LiveFrameProps extends Fallback {
  live: Pick<Live<unknown>, "rows" | "newCount" | "state">;
  of: "newOrders" | "newTransfers" | "newCallbacks";
  children: ReactNode;
}

/** Renders the number of new rows above a list, and a notice if it no longer updates. */
function LiveFrame({ live: { rows, newCount, state }, of, empty, children }: LiveFrameProps) {
  const t = useTranslations("live");
  const router = useRouter();
  const path = usePathname();
  return (
    <>
      <div role="status" className="empty:hidden">
        {newCount > 0 ? (
          // The notice overlays the table instead of preceding it, so that the rows do not move.
          <div className="relative z-10 h-0">
            <div className="pointer-events-none absolute inset-x-0 top-px flex justify-center">
              <Button size="small" className="pointer-events-auto" onClick={() => router.refresh()}>
                <ArrowUp aria-hidden /> {t(of, { count: newCount })}
              </Button>
            </div>
          </div>
        ) : null}
        {state === "live" ? null : (
          <p className="border-line border-b bg-warn-soft px-4 py-2 text-warn sm:px-5">
            {t(state)}{" "}
            {state === "signedOut" ? (
              <a href={`/login?callbackUrl=${encodeURIComponent(path)}`} className="font-medium underline">
                {t("signIn")}
              </a>
            ) : null}
          </p>
        )}
      </div>
      {rows.length > 0 ? children : empty}
    </>
  );
}
