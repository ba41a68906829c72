import Link from "next/link";
import { Amount } from "@/components/dashboard/frame/amount";
import { VolumeChart } from "@/components/dashboard/home/volume-chart";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { type Figures, SPAN_DAYS, type Span } from "@/lib/domain/orders/figures";

interface TotalsProps {
  figures: Figures;
  span: Span;
  /** Callbacks of the span that were given up. */
  givenUp: number;
}

const NAMES = { 1: "Today", 7: "7 days", 30: "30 days" };

/** What happened lately: figures, volumes as a chart, and what was paid by token. */
export function Totals({ figures, span, givenUp }: TotalsProps) {
  return (
    <Card title="Payments" hint="Days begin at midnight UTC" action={<Spans days={span.days} />}>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 lg:grid-cols-4">
        <Figure name="Paid orders" value={count(figures.paid)} hint={`${count(figures.created)} made`} />
        <Figure
          name="Conversion"
          value={figures.conversion === null ? "–" : `${(figures.conversion * 100).toFixed(1)} %`}
          hint="of the orders made"
        />
        <Figure
          name="Time to pay"
          value={figures.secondsToPay === null ? "–" : duration(figures.secondsToPay)}
          hint="on average"
        />
        <Figure
          name="Callbacks"
          value={figures.callbacks === 0 ? "–" : `${successOf(figures.callbacks, givenUp)} %`}
          hint={`${count(givenUp)} of ${count(figures.callbacks)} given up`}
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
                  <span className="text-ink-soft tabular-nums">{count(paid)} ×</span>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <p className="text-ink-soft">Nothing was paid in this time.</p>
        )}
      </div>
    </Card>
  );
}

function Spans({ days }: { days: number }) {
  return (
    <nav aria-label="Span of time" className="flex rounded-lg border border-line p-0.5 text-[0.8125rem]">
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
          {NAMES[one]}
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

const count = (number: number) => number.toLocaleString("en");
/** Rounded down: 100 % means all. */
const successOf = (owed: number, givenUp: number) => Math.floor(((owed - givenUp) / owed) * 1_000) / 10;

/** "45 s", "3 min 20 s", "2 h 5 min" */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${count(Math.floor(whole / 3_600))} h ${Math.floor((whole % 3_600) / 60)} min`;
}
