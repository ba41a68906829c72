import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Amount, TransferAmount } from "@/components/dashboard/frame/amount";
import { FreshItem, FreshTransferState } from "@/components/dashboard/transfers/fresh-rows";
import { likelyText } from "@/components/dashboard/transfers/likely-text";
import type { TransferRow } from "@/components/dashboard/transfers/table";
import { Time } from "@/components/ui/time";
import type { LikelyOrder } from "@/lib/domain/orders/likely-orders";

interface UnmatchedListProps<T extends TransferRow> {
  transfers: readonly T[];
  now: Date;
  /** Returns the suggested orders, most likely first. */
  suggestionsFor(transfer: T): readonly LikelyOrder[];
  actionFor(transfer: T, likely: LikelyOrder): ReactNode;
}

/** Renders unmatched transfers, each with the reason and the order it was most likely meant for. */
export function UnmatchedList<T extends TransferRow>(props: UnmatchedListProps<T>) {
  const state = useTranslations("states");
  const { transfers, now, suggestionsFor, actionFor } = props;
  return (
    <ul className="divide-y divide-line border-line border-t first:border-t-0">
      {transfers.map((transfer) => {
        const [best, ...others] = suggestionsFor(transfer);
        return (
          <FreshItem
            key={transfer.id}
            id={transfer.id}
            className="grid gap-x-6 gap-y-2.5 px-4 py-3.5 sm:px-5 md:grid-cols-2"
          >
            <div className="grid min-w-0 content-start gap-1">
              <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <Link href={`/dashboard/transfers/${transfer.id}`} className="hover:underline">
                  <TransferAmount transfer={transfer} />
                </Link>
                <FreshTransferState id={transfer.id} status={transfer.status} />
              </div>
              <p className="text-[0.8125rem] text-ink-soft">
                {transfer.unmatchedReason ? `${state(`reason.${transfer.unmatchedReason}`)} · ` : null}
                <Time at={transfer.seenAt.toISOString()} now={now.toISOString()} />
              </p>
            </div>
            <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
              {best ? (
                <Best likely={best} more={others.length} href={`/dashboard/transfers/${transfer.id}`} />
              ) : (
                <None isLookAlike={transfer.currency === null} />
              )}
              {best ? actionFor(transfer, best) : null}
            </div>
          </FreshItem>
        );
      })}
    </ul>
  );
}

function Best({ likely, more, href }: { likely: LikelyOrder; more: number; href: string }) {
  const t = useTranslations("transfers");
  const texts = useTranslations("likely");
  return (
    <div className="grid min-w-0 flex-1 basis-52 gap-1">
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <span className="text-ink-soft text-xs">{t("perhaps")}</span>
        <Link
          href={`/dashboard/orders/${likely.order.id}`}
          className="min-w-0 max-w-48 truncate font-medium leading-6 hover:underline"
        >
          {likely.order.mchOrderId}
        </Link>
        <Amount units={likely.order.dueUnits} network={likely.order.network} currency={likely.order.currency} isBare />
      </p>
      <p className="text-[0.8125rem] text-ink-soft">
        {likelyText(likely, texts)}
        {more > 0 ? (
          <>
            {" · "}
            <Link href={href} className="font-medium text-accent hover:underline">
              {t("others", { count: more })}
            </Link>
          </>
        ) : null}
      </p>
    </div>
  );
}

function None({ isLookAlike }: { isLookAlike: boolean }) {
  const t = useTranslations("transfers");
  return <p className="text-[0.8125rem] text-ink-soft">{t(isLookAlike ? "cannotAssign" : "noneLooks")}</p>;
}
