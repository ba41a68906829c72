import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { RefundState } from "@/components/dashboard/refunds/state";
import { Card } from "@/components/ui/card";
import { Time } from "@/components/ui/time";
import { formatMicro } from "@/lib/domain/refunds/amounts";
import type { Refund } from "@/lib/domain/refunds/refund";

interface OrderRefundsProps {
  refunds: readonly Refund[];
  /** The buttons that request a refund; null for read-only users, and if nothing is left. */
  actions: ReactNode;
  now: Date;
}

/** Renders the refunds of an order or a transfer. */
export function OrderRefunds({ refunds, actions, now }: OrderRefundsProps) {
  const t = useTranslations("refundPages");
  return (
    <Card title={t("title")} hint={t("cardHint")} action={actions}>
      {refunds.length === 0 ? (
        <p className="text-ink-soft">{t("noneOfOrder")}</p>
      ) : (
        <ul className="grid gap-2">
          {refunds.map(({ id, microUnits, currency, status, createdAt }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Link href={`/dashboard/refunds/${id}`} className="font-medium tabular-nums hover:underline">
                {formatMicro(microUnits)} {currency}
              </Link>
              <RefundState status={status} />
              <span className="text-[0.8125rem] text-ink-soft">
                <Time at={createdAt.toISOString()} now={now.toISOString()} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
