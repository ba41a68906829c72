import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Translate } from "@/components/messages/translate";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";

export interface PriceLine {
  fiat: string;
  mode: "market" | "markup" | "fixed";
  markUpBasisPoints: number;
  /** The fixed rate as a decimal string; null if there is none. */
  fixedRate: string | null;
  rates: ({ currency: string } & ({ rate: string; source: string; at: Date } | { problem: string }))[];
}

/** Renders the conversion method and the current rate of each currency. */
export function PriceTable({
  prices,
  now,
  actionFor,
}: {
  prices: readonly PriceLine[];
  now: Date;
  actionFor(price: PriceLine): ReactNode;
}) {
  const t = useTranslations("prices");
  const head = [
    { text: t("currency") },
    { text: t("countedBy") },
    { text: t("rate") },
    { text: t("actions"), isHidden: true },
  ];
  return (
    <Table caption={t("title")} head={head}>
      {prices.map((price) => (
        <tr key={price.fiat}>
          <Cell className="font-medium">{price.fiat}</Cell>
          <Cell>
            {countedBy(price, t)}
            {price.mode !== "fixed" && price.fixedRate !== null ? (
              <span className="block text-[0.8125rem] text-ink-soft">{t("elseRate", { rate: price.fixedRate })}</span>
            ) : null}
          </Cell>
          <Cell>
            <ul className="grid gap-1">
              {price.rates.map((rate) => (
                <li key={rate.currency}>
                  {"problem" in rate ? (
                    <span className="text-warn">
                      {rate.currency}: {rate.problem}
                    </span>
                  ) : (
                    <>
                      1 {rate.currency} = {rate.rate} {price.fiat}
                      <span className="block text-[0.8125rem] text-ink-soft">
                        {rate.source}, <Time at={rate.at.toISOString()} now={now.toISOString()} />
                      </span>
                    </>
                  )}
                </li>
              ))}
            </ul>
          </Cell>
          <Cell isAction>{actionFor(price)}</Cell>
        </tr>
      ))}
    </Table>
  );
}

function countedBy({ mode, markUpBasisPoints }: PriceLine, t: Translate<"prices">): string {
  if (mode === "fixed") return t("byFixed");
  return mode === "market" ? t("byMarket") : t("byMarkUp", { percent: String(markUpBasisPoints / 100) });
}

export interface SourceLine {
  id: string;
  isOff: boolean;
  answeredAt: Date | null;
  /** The human-readable reason for the failure; null if the source works. */
  failure: string | null;
  warning: string | null;
}

/** Renders the sources of market rates, and the failures of each. */
export function SourcePanel({ sources, now }: { sources: readonly SourceLine[]; now: Date }) {
  const t = useTranslations("prices");
  return (
    <Card title={t("sources")} hint={t("sourcesHint")} isFlush className="mt-4">
      <ul className="divide-y divide-line border-line border-t">
        {sources.map((source) => (
          <li key={source.id} className="flex items-start justify-between gap-4 px-4 py-3 sm:px-5">
            <div className="min-w-0">
              <p className="font-medium">{source.id}</p>
              <p className="break-words text-[0.8125rem] text-ink-soft">
                {source.answeredAt ? <LastAnswer at={source.answeredAt} now={now} /> : t("notRead")}
              </p>
              {source.failure === null ? null : (
                <p className="break-words text-[0.8125rem] text-warn">{t("noNumber", { why: source.failure })}</p>
              )}
              {source.warning === null ? null : (
                <p className="break-words text-[0.8125rem] text-warn">{source.warning}</p>
              )}
            </div>
            <State {...source} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function LastAnswer({ at, now }: { at: Date; now: Date }) {
  const t = useTranslations("prices");
  return t.rich("lastAnswered", { time: () => <Time at={at.toISOString()} now={now.toISOString()} /> });
}

function State({ isOff, answeredAt, failure, warning }: SourceLine) {
  const t = useTranslations("prices");
  if (isOff) return <Badge tone="neutral">{t("off")}</Badge>;
  if (failure !== null) return <Badge tone="warn">{t("failing")}</Badge>;
  if (warning !== null) return <Badge tone="warn">{t("leftOut")}</Badge>;
  return answeredAt ? <Badge tone="good">{t("well")}</Badge> : <Badge tone="neutral">{t("unused")}</Badge>;
}
