import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Amount } from "@/components/dashboard/frame/amount";
import { OrderState } from "@/components/dashboard/frame/states";
import { likelyText } from "@/components/dashboard/transfers/likely-text";
import { Time } from "@/components/ui/time";
import type { LikelyOrder } from "@/lib/domain/orders/likely-orders";

interface LikelyOrderListProps {
  likely: readonly LikelyOrder[];
  now: Date;
  actionFor(likely: LikelyOrder): ReactNode;
}

/** Renders the orders that a transfer may have been meant for, each with the reasons and the action. */
export function LikelyOrderList({ likely, now, actionFor }: LikelyOrderListProps) {
  const t = useTranslations("likely");
  return (
    <ul className="divide-y divide-line border-line border-t">
      {likely.map((one) => (
        <li key={one.order.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
          <div className="grid min-w-0 flex-1 basis-64 gap-1">
            <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <Link
                href={`/dashboard/orders/${one.order.id}`}
                className="max-w-56 truncate font-medium leading-6 hover:underline"
              >
                {one.order.mchOrderId}
              </Link>
              <OrderState status={one.order.status} exception={null} />
            </div>
            <p className="text-[0.8125rem] text-ink-soft">
              <Amount units={one.order.dueUnits} network={one.order.network} currency={one.order.currency} /> ·{" "}
              <Time at={one.order.createdAt.toISOString()} now={now.toISOString()} />
            </p>
            <p className="text-[0.8125rem]">{likelyText(one, t)}</p>
          </div>
          {actionFor(one)}
        </li>
      ))}
    </ul>
  );
}
