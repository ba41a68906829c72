import { useFormatter, useTranslations } from "next-intl";
import { Amount } from "@/components/dashboard/frame/amount";
import { Card } from "@/components/ui/card";

export interface Span {
  days: number;
  /** One per token that was paid in. */
  sums: readonly { network: string; currency: string; units: bigint; orders: number }[];
}

/** What was paid lately: one sheet per span of time. */
export function Totals({ spans }: { spans: readonly Span[] }) {
  const t = useTranslations("home");
  const format = useFormatter();
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {spans
        .map(({ days, sums }) => ({
          span: t("days", { days }),
          sums,
          orders: sums.reduce((total, sum) => total + sum.orders, 0),
        }))
        .map(({ span, sums, orders }) => (
          <Card key={span}>
            <h2 className="text-ink-soft text-xs">{t("paid", { span })}</h2>
            <p className="mt-0.5 font-semibold text-2xl tabular-nums tracking-tight">
              {format.number(orders)}
              <span className="ml-1.5 font-normal text-ink-soft text-sm tracking-normal">
                {t("orders", { count: orders })}
              </span>
            </p>
            <ul className="mt-1 text-[0.8125rem]">
              {sums.map(({ network, currency, units }) => (
                <li key={network + currency}>
                  <Amount units={units} network={network} currency={currency} />
                </li>
              ))}
            </ul>
          </Card>
        ))}
    </div>
  );
}
