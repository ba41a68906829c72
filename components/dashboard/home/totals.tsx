import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Amount } from "@/components/dashboard/frame/amount";
import { Chart, MAX_SERIES } from "@/components/dashboard/home/chart";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { Notice } from "@/components/ui/notice";
import { getNetwork } from "@/lib/domain/networks";
import {
  CHARTS,
  type ChartName,
  type ChartView,
  type Figures,
  SPAN_DAYS,
  writeChartView,
} from "@/lib/domain/orders/figures";

interface TotalsProps {
  figures: Figures;
  view: ChartView;
}

/** Renders recent activity: figures, a chart, and the paid amounts by token. */
export function Totals({ figures, view }: TotalsProps) {
  const hasSums = view.chart === "volume" && !view.isTable && figures.tokens.length > 0;
  return (
    <TotalsFrame view={view}>
      <KeyFigures figures={figures} />
      <div className="mt-4 grid gap-4 border-line border-t pt-4">
        <ChartTabs view={view} />
        {hasSums ? (
          <div className="grid gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,1fr)_15rem]">
            <ShownChart figures={figures} view={view} />
            <TokenSums figures={figures} />
          </div>
        ) : (
          <ShownChart figures={figures} view={view} />
        )}
      </div>
    </TotalsFrame>
  );
}

/** Renders the card in which the totals appear, while they are loaded. */
export function TotalsLoading({ view }: { view: ChartView }) {
  const t = useTranslations("charts");
  return (
    <TotalsFrame view={view}>
      <div role="status" className="grid gap-4">
        <span className="sr-only">{t("loading")}</span>
        <div aria-hidden className="grid animate-pulse grid-cols-2 gap-4 lg:grid-cols-4">
          {CHARTS.map((name) => (
            <div key={name} className="h-14 rounded-lg bg-sunken" />
          ))}
        </div>
        <div aria-hidden className="h-44 animate-pulse rounded-lg bg-sunken" />
      </div>
    </TotalsFrame>
  );
}

/** Renders the card of the totals if they could not be loaded, with a link that tries again. */
export function TotalsFailed({ view }: { view: ChartView }) {
  const t = useTranslations("charts");
  return (
    <TotalsFrame view={view}>
      <Notice
        tone="warn"
        action={
          <Button asChild size="small">
            <a href={hrefOf(view, {})}>{t("again")}</a>
          </Button>
        }
      >
        {t("failed")}
      </Notice>
    </TotalsFrame>
  );
}

function TotalsFrame({ view, children }: { view: ChartView; children: ReactNode }) {
  const t = useTranslations("home");
  return (
    <Card title={t("payments")} hint={t("midnight")} action={<Spans view={view} />}>
      {children}
    </Card>
  );
}

/** Returns the URL of a view that differs from the shown one. */
function hrefOf(
  { span, chart, isTable }: ChartView,
  change: { days?: number; chart?: ChartName; isTable?: boolean },
): string {
  return `/dashboard${writeChartView({ days: span.days, chart, isTable, ...change })}`;
}

function KeyFigures({ figures }: { figures: Figures }) {
  const t = useTranslations("home");
  const format = useFormatter();
  const formats = useFormats();
  const { conversion, secondsToPay, callbacks, failedCallbacks } = figures;
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 lg:grid-cols-4">
      <Figure name={t("paidOrders")} value={format.number(figures.paid)} hint={t("made", { count: figures.created })} />
      <Figure
        name={t("conversion")}
        value={conversion === null ? "–" : formats.conversion(conversion)}
        hint={t("ofMade")}
      />
      <Figure
        name={t("timeToPay")}
        value={secondsToPay === null ? "–" : formats.timeToPay(secondsToPay)}
        hint={t("onAverage")}
      />
      <Figure
        name={t("callbacks")}
        value={callbacks === 0 ? "–" : formats.conversion(successOf(callbacks, failedCallbacks))}
        hint={t("failedCallbacks", { count: failedCallbacks, all: callbacks })}
      />
    </dl>
  );
}

/** Returns the functions that format the values of each chart. */
function useFormats(): Record<ChartName, (value: number) => string> {
  const t = useTranslations("home");
  const format = useFormatter();
  return {
    volume: (value) => format.number(value, { maximumFractionDigits: 2 }),
    conversion: (value) => `${format.number(value * 100, { maximumFractionDigits: 1 })} %`,
    timeToPay: (value) => t("duration", partsOf(value)),
    failedCallbacks: (value) => format.number(value),
  };
}

function ShownChart({ figures, view: { span, chart, isTable } }: TotalsProps) {
  const t = useTranslations("charts");
  const format = useFormats()[chart];
  return (
    <Chart
      caption={t(span.step === "hour" ? "byHour" : "byDay", { chart: t(`name.${chart}`) })}
      series={seriesOf(figures, chart, t(`name.${chart}`))}
      span={span}
      isTable={isTable}
      empty={t(`empty.${chart}`)}
      format={format}
    />
  );
}

function seriesOf({ tokens, steps }: Figures, chart: ChartName, name: string) {
  if (chart !== "volume")
    return [
      {
        name,
        values: steps.map(({ conversion, secondsToPay, failedCallbacks }) =>
          chart === "conversion" ? conversion : chart === "timeToPay" ? secondsToPay : failedCallbacks,
        ),
      },
    ];
  return tokens.slice(0, MAX_SERIES).map(({ network, currency, volumes }) => ({
    name: `${currency} · ${getNetwork(network).name}`,
    values: volumes,
  }));
}

function TokenSums({ figures }: { figures: Figures }) {
  const format = useFormatter();
  return (
    <ul className="grid content-start gap-1.5 text-[0.8125rem]">
      {figures.tokens.map(({ network, currency, units, paid }) => (
        <li key={network + currency} className="flex flex-wrap justify-between gap-x-3">
          <Amount units={units} network={network} currency={currency} />
          <span className="text-ink-soft tabular-nums">{format.number(paid)} ×</span>
        </li>
      ))}
    </ul>
  );
}

function ChartTabs({ view }: { view: ChartView }) {
  const t = useTranslations("charts");
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-[0.8125rem]">
      <nav aria-label={t("which")} className="flex flex-wrap gap-1">
        {CHARTS.map((chart) => (
          <Tab key={chart} href={hrefOf(view, { chart })} isShown={chart === view.chart} text={t(`name.${chart}`)} />
        ))}
      </nav>
      <Link
        href={hrefOf(view, { isTable: !view.isTable })}
        scroll={false}
        className="rounded font-medium text-accent hover:underline"
      >
        {t(view.isTable ? "showChart" : "showTable")}
      </Link>
    </div>
  );
}

function Spans({ view }: { view: ChartView }) {
  const t = useTranslations("home");
  return (
    <nav aria-label={t("span")} className="flex rounded-lg border border-line p-0.5 text-[0.8125rem]">
      {SPAN_DAYS.map((days) => (
        <Tab key={days} href={hrefOf(view, { days })} isShown={days === view.span.days} text={t("days", { days })} />
      ))}
    </nav>
  );
}

function Tab({ href, isShown, text }: { href: string; isShown: boolean; text: string }) {
  return (
    <Link
      href={href}
      scroll={false}
      aria-current={isShown ? "true" : undefined}
      className={cn("rounded-md px-2.5 py-1", isShown ? "bg-sunken font-medium" : "text-ink-soft hover:text-ink")}
    >
      {text}
    </Link>
  );
}

function Figure({ name, value, hint }: { name: string; value: string; hint: string }) {
  return (
    <div>
      <dt className="text-ink-soft text-xs">{name}</dt>
      <dd>
        <span className="block font-semibold text-2xl tabular-nums tracking-tight">{value}</span>
        <span className="text-ink-soft text-xs tabular-nums">{hint}</span>
      </dd>
    </div>
  );
}

/** Returns the success rate, rounded down to a tenth of a percent, so that 100% means that every callback was delivered. */
const successOf = (sent: number, failedCallbacks: number) =>
  Math.floor(((sent - failedCallbacks) / sent) * 1_000) / 1_000;

/** Splits a duration into its two largest units. */
function partsOf(seconds: number) {
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor((whole % 3_600) / 60);
  const unit = hours > 0 ? ("hours" as const) : minutes > 0 ? ("minutes" as const) : ("seconds" as const);
  return { unit, hours: String(hours), minutes: String(minutes), seconds: String(whole % 60) };
}
