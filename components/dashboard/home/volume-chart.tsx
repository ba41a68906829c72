import { useFormatter, useTranslations } from "next-intl";
import { cn } from "@/components/ui/class-names";
import { getNetwork } from "@/lib/domain/networks";
import type { Figures, Span, TokenFigures } from "@/lib/domain/orders/figures";

/** The colors of the chart. Each is shown beside the name of its token, because the meaning must not depend on color alone. */
const FILLS = ["fill-accent", "fill-info", "fill-good", "fill-warn", "fill-bad", "fill-ink-soft"];
const DOTS = ["bg-accent", "bg-info", "bg-good", "bg-warn", "bg-bad", "bg-ink-soft"];
const MAX_SHOWN = FILLS.length;
const STEP_WIDTH = 10;
const GAP = 2;
const HEIGHT = 100;

interface VolumeChartProps {
  figures: Figures;
  span: Span;
}

/** Renders the paid volume per step, one color per token, with the same figures as a table for screen readers. */
export function VolumeChart({ figures, span }: VolumeChartProps) {
  const t = useTranslations("home");
  const rounded = useRounded();
  const shown = figures.tokens.slice(0, MAX_SHOWN);
  const sums = span.steps.map((_, step) => shown.reduce((sum, { volumes }) => sum + (volumes[step] ?? 0), 0));
  const max = Math.max(...sums, 0);
  const last = span.steps.length - 1;
  return (
    <figure className="relative">
      <figcaption className="flex items-baseline justify-between gap-4 text-ink-soft text-xs">
        <span>{t(span.step === "hour" ? "tokensByHour" : "tokensByDay")}</span>
        <span className="tabular-nums">{t("max", { volume: rounded(max) })}</span>
      </figcaption>
      <svg
        aria-hidden
        viewBox={`0 0 ${span.steps.length * STEP_WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="mt-1 h-32 w-full border-line border-b"
      >
        {span.steps.map((at, step) => (
          <Bar
            key={at.toISOString()}
            tokens={shown}
            step={step}
            max={max}
            title={`${label(at, span)}: ${rounded(sums[step] ?? 0)}`}
          />
        ))}
      </svg>
      <p aria-hidden className="mt-1 flex justify-between text-ink-soft text-xs tabular-nums">
        {[0, Math.floor(last / 2), last].map((step) => (
          <span key={step}>{label(span.steps[step] ?? span.since, span)}</span>
        ))}
      </p>
      <ul aria-hidden className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {shown.map((token, index) => (
          <li key={nameOf(token)} className="flex items-center gap-1.5">
            <span className={cn("size-2 rounded-full", DOTS[index])} />
            {nameOf(token)}
          </li>
        ))}
      </ul>
      <ReadOut tokens={shown} span={span} />
    </figure>
  );
}

interface BarProps {
  tokens: readonly TokenFigures[];
  step: number;
  max: number;
  title: string;
}

function Bar({ tokens, step, max, title }: BarProps) {
  let top = HEIGHT;
  return (
    <g>
      <title>{title}</title>
      <rect x={step * STEP_WIDTH} y={0} width={STEP_WIDTH} height={HEIGHT} className="fill-transparent" />
      {tokens.map(({ network, currency, volumes }, index) => {
        const height = max === 0 ? 0 : ((volumes[step] ?? 0) / max) * HEIGHT;
        top -= height;
        return (
          <rect
            key={network + currency}
            x={step * STEP_WIDTH + GAP / 2}
            y={top}
            width={STEP_WIDTH - GAP}
            height={height}
            className={FILLS[index]}
          />
        );
      })}
    </g>
  );
}

function ReadOut({ tokens, span }: { tokens: readonly TokenFigures[]; span: Span }) {
  const t = useTranslations("home");
  const rounded = useRounded();
  return (
    <div className="sr-only">
      <table>
        <caption>{t(span.step === "hour" ? "tokensByHour" : "tokensByDay")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("since")}</th>
            {tokens.map((token) => (
              <th key={nameOf(token)} scope="col">
                {nameOf(token)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {span.steps.map((at, step) => (
            <tr key={at.toISOString()}>
              <th scope="row">{label(at, span)}</th>
              {tokens.map((token) => (
                <td key={nameOf(token)}>{rounded(token.volumes[step] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function useRounded() {
  const format = useFormatter();
  return (volume: number) => format.number(volume, { maximumFractionDigits: 2 });
}

const nameOf = ({ network, currency }: TokenFigures) => `${currency} · ${getNetwork(network).name}`;
const label = (at: Date, { step }: Span) => at.toISOString().slice(...(step === "hour" ? [11, 16] : [5, 10]));
