import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names";

const TONE = {
  neutral: "bg-sunken text-ink-soft",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  info: "bg-info-soft text-info",
} as const;

export type Tone = keyof typeof TONE;

interface BadgeProps {
  tone: Tone;
  children: ReactNode;
  hasDot?: boolean;
  title?: string | undefined;
}

/** Renders a short status label. The text conveys the status; the color is only an aid. */
export function Badge({ tone, children, hasDot, title }: BadgeProps) {
  return (
    <span
      title={title}
      className={cn(
        "inline-flex items-center gap-1.5 rounded-md px-1.5 py-0.5 text-left font-medium text-xs wrap-anywhere sm:whitespace-nowrap",
        TONE[tone],
      )}
    >
      {hasDot ? <span aria-hidden className="size-1.5 rounded-full bg-current" /> : null}
      {children}
    </span>
  );
}
