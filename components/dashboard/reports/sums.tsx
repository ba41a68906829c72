import { useFormatter, useTranslations } from "next-intl";
import { Amount } from "@/components/dashboard/frame/amount";
import { Card } from "@/components/ui/card";
import { Cell, Table } from "@/components/ui/table";
import { getNetwork } from "@/lib/domain/networks";
import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";
import { priceText } from "@/lib/domain/rates/currencies";
import { LEDGER_KINDS, type LedgerSum } from "@/lib/domain/reports";

/** Renders the transfers of a month, by result and by token. */
export function LedgerSums({ sums }: { sums: readonly LedgerSum[] }) {
  const t = useTranslations("reports");
  const format = useFormatter();
  const head = [
    { text: t("transfers") },
    { text: t("network"), className: "hidden sm:table-cell" },
    { text: t("count"), isRight: true },
    { text: t("sum"), isRight: true },
  ];
  const kinds = LEDGER_KINDS.filter((kind) => sums.some((sum) => sum.kind === kind));
  return (
    <Table caption={t("transfers")} head={head}>
      {kinds.flatMap((kind) =>
        sums
          .filter((sum) => sum.kind === kind)
          .map(({ network, currency, transfers, units }, index) => (
            <tr key={kind + network + currency}>
              <Cell>
                <span className="font-medium">{t(`kind.${kind}`)}</span>
                {index === 0 ? <span className="block text-ink-soft text-xs">{t(`kindHint.${kind}`)}</span> : null}
              </Cell>
              <Cell className="hidden sm:table-cell">{getNetwork(network).name}</Cell>
              <Cell isRight>{format.number(transfers)}</Cell>
              <Cell isRight>
                {currency === null ? "–" : <Amount units={units} network={network} currency={currency} isBare />}
              </Cell>
            </tr>
          )),
      )}
    </Table>
  );
}

/** Renders the results of the orders created within a month. */
export function OrderCounts({
  counts,
}: {
  counts: readonly { status: OrderStatus; exception: OrderException | null; orders: number }[];
}) {
  const t = useTranslations("reports");
  const state = useTranslations("states");
  const format = useFormatter();
  const all = counts.reduce((sum, { orders }) => sum + orders, 0);
  return (
    <Card title={t("ordersMade")} hint={t("inAll", { count: all })}>
      <Lines
        lines={counts.map(({ status, exception, orders }) => ({
          name: [state(`order.${status}`), ...(exception ? [state(`exception.${exception}`)] : [])].join(" · "),
          value: format.number(orders),
        }))}
      />
    </Card>
  );
}

interface FiatSum {
  fiat: string;
  transfers: number;
  value: string;
}

/** Renders the value of payments with a fiat price, and of their refunds. */
export function FiatSums({ sums, refunds }: { sums: readonly FiatSum[]; refunds: readonly FiatSum[] }) {
  const t = useTranslations("reports");
  const linesOf = (some: readonly FiatSum[], name: "transferCount" | "refundCount") =>
    some.map(({ fiat, transfers, value }) => ({
      name: t(name, { count: transfers }),
      value: priceText({ amount: value, fiat }),
    }));
  return (
    <Card title={t("value")} hint={t("valueHint")}>
      {sums.length + refunds.length === 0 ? (
        <p className="text-ink-soft">{t("noValue")}</p>
      ) : (
        <Lines lines={[...linesOf(sums, "transferCount"), ...linesOf(refunds, "refundCount")]} />
      )}
    </Card>
  );
}

function Lines({ lines }: { lines: readonly { name: string; value: string }[] }) {
  return (
    <dl className="grid gap-1.5">
      {lines.map(({ name, value }) => (
        <div key={name + value} className="flex justify-between gap-4">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
