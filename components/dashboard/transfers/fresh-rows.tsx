"use client";

import { useTranslations } from "next-intl";
import { createContext, type ReactNode, useContext } from "react";
import { TransferState } from "@/components/dashboard/frame/states";
import type { TransferRow } from "@/components/dashboard/transfers/table";
import { rowLook } from "@/components/ui/table";
import type { LiveRow } from "@/lib/domain/live-rows";

/** Of a list whose rows the server made: what is known of them since, by their ids. */
export const FreshRows = createContext<ReadonlyMap<string, LiveRow<TransferRow>>>(new Map());

/** An item of such a list, which shows when it belongs there no longer. */
export function FreshItem({ id, className, children }: { id: string; className: string; children: ReactNode }) {
  const t = useTranslations("live");
  const { className: look = "", ...more } = rowLook(useContext(FreshRows).get(id)?.isGone, t("gone"));
  return (
    <li className={`${className} ${look}`} {...more}>
      {children}
    </li>
  );
}

/** The state of a transfer in such a list, as it is now. */
export function FreshTransferState({ id, status }: Pick<TransferRow, "id" | "status">) {
  return <TransferState status={useContext(FreshRows).get(id)?.row.status ?? status} />;
}
