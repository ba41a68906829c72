"use client";

import { useTranslations } from "next-intl";
import { createContext, type ReactNode, useContext } from "react";
import { TransferState } from "@/components/dashboard/frame/states";
import type { TransferRow } from "@/components/dashboard/transfers/table";
import { rowLook } from "@/components/ui/table";
import type { LiveRow } from "@/lib/domain/live-rows";

/** The latest data of rows that the server rendered, by their ids. */
export const FreshRows = createContext<ReadonlyMap<string, LiveRow<TransferRow>>>(new Map());

/** Renders an item of a server-rendered list, and marks it once it no longer belongs in the list. */
export function FreshItem({ id, className, children }: { id: string; className: string; children: ReactNode }) {
  const t = useTranslations("live");
  const { className: look = "", ...more } = rowLook(useContext(FreshRows).get(id)?.isGone, t("gone"));
  return (
    <li className={`${className} ${look}`} {...more}>
      {children}
    </li>
  );
}

/** Renders the current status of a transfer in a server-rendered list. */
export function FreshTransferState({ id, status }: Pick<TransferRow, "id" | "status">) {
  return <TransferState status={useContext(FreshRows).get(id)?.row.status ?? status} />;
}
