import Link from "next/link";
import { useTranslations } from "next-intl";
import { RefundState } from "@/components/dashboard/refunds/state";
import { Card } from "@/components/ui/card";
import { Time } from "@/components/ui/time";
import { displayMicro } from "@/lib/domain/money";
import type { Refund } from "@/lib/domain/refunds/refund";

interface OrderRefundsProps {
  refunds: readonly Refund[];
  now: Date;
}

/** Renders the refunds of an order or a transfer. Renders nothing if there is none. */
export function OrderRefunds({ refunds, now }: OrderRefundsProps) {
  const t = useTranslations("refundPages");
  if (refunds.length === 0) return null;
  return (
    <Card title={t("title")} hint={t("cardHint")}>
      <ul className="grid gap-2">
        {refunds.map(({ id, microUnits, currency, status, createdAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link href={`/dashboard/refunds/${id}`} className="font-medium tabular-nums hover:underline">
              {displayMicro(microUnits)} {currency}
            </Link>
            <RefundState status={status} />
            <span className="text-[0.8125rem] text-ink-soft">
              <Time at={createdAt.toISOString()} now={now.toISOString()} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
