import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/class-names";
import { Cell, Table } from "@/components/ui/table";
import type { Span } from "@/lib/domain/orders/figures";

/** The colors of the chart. Each is shown beside the name of its series, because the meaning must not depend on color alone. */
const FILLS = ["fill-accent", "fill-info", "fill-good", "fill-warn", "fill-bad", "fill-ink-soft"];
const DOTS = ["bg-accent", "bg-info", "bg-good", "bg-warn", "bg-bad", "bg-ink-soft"];
export const MAX_SERIES = FILLS.length;
const STEP_WIDTH = 10;
const GAP = 2;
const HEIGHT = 100;

/** A series of a chart: a value for each step of the span. */
export interface Series {
  name: string;
  /** The values; null if a step has none. */
  values: readonly (number | null)[];
}

interface ChartProps {
  /** The caption: what is shown, by which step. */
  caption: string;
  /** At most MAX_SERIES. The bars of a step are stacked. */
  series: readonly Series[];
  span: Span;
  /** True to show the figures as a table. */
  isTable: boolean;
  /** The sentence that is shown if no step has a value. */
  empty: string;
  format(value: number): string;
}

/** Renders a bar chart with a bar per step, or its figures as a table. Screen readers read the table in both cases. */
export function Chart(props: ChartProps) {
  const { series, empty, isTable } = props;
  const isEmpty = series.every(({ values }) => values.every((value) => value === null || value === 0));
  if (isEmpty) return <p className="grid min-h-40 place-items-center text-ink-soft">{empty}</p>;
  if (isTable) return <Figures {...props} />;
  return (
    <figure className="relative">
      <Bars {...props} />
      <div className="sr-only">
        <SpokenFigures {...props} />
      </div>
    </figure>
  );
}

function Bars({ caption, series, span, format }: ChartProps) {
  const t = useTranslations("charts");
  const sums = span.steps.map((_, step) => series.reduce((sum, { values }) => sum + (values[step] ?? 0), 0));
  const max = Math.max(...sums, 0);
  const last = span.steps.length - 1;
  return (
    <>
      <figcaption className="flex items-baseline justify-between gap-4 text-ink-soft text-xs">
        <span>{caption}</span>
        <span className="tabular-nums">{t("max", { value: format(max) })}</span>
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
            values={series.map(({ values }) => values[step] ?? 0)}
            step={step}
            max={max}
            title={`${labelOf(at, span)}: ${format(sums[step] ?? 0)}`}
          />
        ))}
      </svg>
      <p aria-hidden className="mt-1 flex justify-between text-ink-soft text-xs tabular-nums">
        {[0, Math.floor(last / 2), last].map((step) => (
          <span key={step}>{labelOf(span.steps[step] ?? span.since, span)}</span>
        ))}
      </p>
      {series.length > 1 ? (
        <ul aria-hidden className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
          {series.map(({ name }, index) => (
            <li key={name} className="flex items-center gap-1.5">
              <span className={cn("size-2 rounded-full", DOTS[index])} />
              {name}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

interface BarProps {
  values: readonly number[];
  step: number;
  max: number;
  title: string;
}

function Bar({ values, step, max, title }: BarProps) {
  let top = HEIGHT;
  return (
    <g>
      <title>{title}</title>
      <rect x={step * STEP_WIDTH} y={0} width={STEP_WIDTH} height={HEIGHT} className="fill-transparent" />
      {FILLS.slice(0, values.length).map((fill, index) => {
        const height = max === 0 ? 0 : ((values[index] ?? 0) / max) * HEIGHT;
        top -= height;
        return (
          <rect
            key={fill}
            x={step * STEP_WIDTH + GAP / 2}
            y={top}
            width={STEP_WIDTH - GAP}
            height={height}
            className={fill}
          />
        );
      })}
    </g>
  );
}

function Figures({ caption, series, span, format }: ChartProps) {
  const t = useTranslations("charts");
  const head = [{ text: t("since") }, ...series.map(({ name }) => ({ text: name, isRight: true }))];
  return (
    <Table caption={caption} head={head}>
      {span.steps.map((at, step) => (
        <tr key={at.toISOString()}>
          <Cell className="font-medium">{labelOf(at, span)}</Cell>
          {series.map(({ name, values }) => (
            <Cell key={name} isRight>
              {valueText(values[step] ?? null, format)}
            </Cell>
          ))}
        </tr>
      ))}
    </Table>
  );
}

/** Renders the figures for screen readers, without a scroll area that could not be focused. */
function SpokenFigures({ caption, series, span, format }: ChartProps) {
  const t = useTranslations("charts");
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t("since")}</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {span.steps.map((at, step) => (
          <tr key={at.toISOString()}>
            <th scope="row">{labelOf(at, span)}</th>
            {series.map(({ name, values }) => (
              <td key={name}>{valueText(values[step] ?? null, format)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function valueText(value: number | null, format: ChartProps["format"]): string {
  return value === null ? "–" : format(value);
}

/** Returns the start of a step: "14:00" or "03-01", in UTC. */
function labelOf(at: Date, { step }: Span): string {
  return at.toISOString().slice(...(step === "hour" ? [11, 16] : [5, 10]));
}
