import { cn } from "@/components/ui/class-names";
import { Time } from "@/components/ui/time";

export interface TimelineEntry {
  key: string;
  at: Date;
  text: string;
  /** The user who performed the action, or details. */
  note?: string | undefined;
  tone: "neutral" | "good" | "warn" | "bad" | "info";
}

const DOT = {
  neutral: "bg-line-strong",
  good: "bg-good",
  warn: "bg-warn",
  bad: "bg-bad",
  info: "bg-info",
} as const;

/** Renders events, newest first. */
export function Timeline({ entries, now }: { entries: readonly TimelineEntry[]; now: Date }) {
  return (
    <ol className="relative grid gap-4 before:absolute before:top-2 before:bottom-2 before:left-[3.5px] before:w-px before:bg-line">
      {entries.map(({ key, at, text, note, tone }) => (
        <li key={key} className="relative flex gap-3">
          <span aria-hidden className={cn("mt-1.5 size-2 shrink-0 rounded-full ring-4 ring-surface", DOT[tone])} />
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <p className="font-medium">{text}</p>
              <span className="flex flex-wrap gap-x-1.5 text-ink-soft text-xs">
                <Time at={at.toISOString()} now={now.toISOString()} hasExact />
              </span>
            </div>
            {note ? <p className="break-words text-[0.8125rem] text-ink-soft">{note}</p> : null}
          </div>
        </li>
      ))}
    </ol>
  );
}
