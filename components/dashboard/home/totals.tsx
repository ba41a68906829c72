import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { Amount } from "@/components/dashboard/frame/amount";
import { VolumeChart } from "@/components/dashboard/home/volume-chart";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { type Figures, SPAN_DAYS, type Span } from "@/lib/domain/orders/figures";

interface TotalsProps {
  figures: Figures;
  span: Span;
  /** The number of callbacks in the span that were never delivered. */
  failedCallbacks: number;
}

/** Renders recent activity: figures, a chart of volumes, and the paid amounts by token. */
export function Totals({ figures, span, failedCallbacks }: TotalsProps) {
  const t = useTranslations("home");
  const format = useFormatter();
  const share = (part: number) => `${format.number(part, { maximumFractionDigits: 1 })} %`;
  const pause = figures.secondsToPay;
  const sent = figures.callbacks;
  return (
    <Card title={t("payments")} hint={t("midnight")} action={<Spans days={span.days} />}>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 lg:grid-cols-4">
        <Figure
          name={t("paidOrders")}
          value={format.number(figures.paid)}
          hint={t("made", { count: figures.created })}
        />
        <Figure
          name={t("conversion")}
          value={figures.conversion === null ? "–" : share(figures.conversion * 100)}
          hint={t("ofMade")}
        />
        <Figure
          name={t("timeToPay")}
          value={pause === null ? "–" : t("duration", partsOf(pause))}
          hint={t("onAverage")}
        />
        <Figure
          name={t("callbacks")}
          value={sent === 0 ? "–" : share(successOf(sent, failedCallbacks))}
          hint={t("failedCallbacks", { count: failedCallbacks, all: sent })}
        />
      </dl>
      <div className="mt-4 grid gap-x-8 gap-y-4 border-line border-t pt-4 lg:grid-cols-[minmax(0,1fr)_15rem]">
        {figures.tokens.length > 0 ? (
          <>
            <VolumeChart figures={figures} span={span} />
            <ul className="grid content-start gap-1.5 text-[0.8125rem]">
              {figures.tokens.map(({ network, currency, units, paid }) => (
                <li key={network + currency} className="flex flex-wrap justify-between gap-x-3">
                  <Amount units={units} network={network} currency={currency} />
                  <span className="text-ink-soft tabular-nums">{format.number(paid)} ×</span>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <p className="text-ink-soft">{t("nothingPaid")}</p>
        )}
      </div>
    </Card>
  );
}

function Spans({ days }: { days: number }) {
  const t = useTranslations("home");
  return (
    <nav aria-label={t("span")} className="flex rounded-lg border border-line p-0.5 text-[0.8125rem]">
      {SPAN_DAYS.map((one) => (
        <Link
          key={one}
          href={`/dashboard?days=${one}`}
          scroll={false}
          aria-current={one === days ? "true" : undefined}
          className={cn(
            "rounded-md px-2.5 py-1",
            one === days ? "bg-sunken font-medium" : "text-ink-soft hover:text-ink",
          )}
        >
          {t("days", { days: one })}
        </Link>
      ))}
    </nav>
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

/** Returns the success rate in percent, rounded down, so that 100% means that every callback was delivered. */
const successOf = (sent: number, failedCallbacks: number) => Math.floor(((sent - failedCallbacks) / sent) * 1_000) / 10;

/** Splits a duration into its two largest units. */
function partsOf(seconds: number) {
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor((whole % 3_600) / 60);
  const unit = hours > 0 ? ("hours" as const) : minutes > 0 ? ("minutes" as const) : ("seconds" as const);
  return { unit, hours: String(hours), minutes: String(minutes), seconds: String(whole % 60) };
}
