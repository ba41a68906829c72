"use client";

import { useLocale, useTranslations } from "next-intl";
import { useEffect, useState } from "react";

const STEPS: readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"],
];
/** The difference, in seconds, below which a time is shown as now. */
const NOW_SECONDS = 5;
const TICK_MS = 15_000;
/** The styles of relative times where the narrow one is only a signed number: in Russian, "-5 мин" for five minutes ago. */
const STYLES: Readonly<Record<string, Intl.RelativeTimeFormatStyle>> = { ru: "short" };

interface TimeProps {
  /** ISO 8601. */
  at: string;
  /** The server's time when the page was rendered, in ISO 8601, so that server and browser render the same initial text. */
  now: string;
  /** True to show the exact time as well. */
  hasExact?: boolean;
}

/** Renders a relative time that stays up to date. The exact time is in the title, or beside it. */
export function Time({ at, now, hasExact = false }: TimeProps) {
  const t = useTranslations("ui");
  const locale = useLocale();
  const [ahead, setAhead] = useState({ of: now, ms: 0 });
  const aheadMs = ahead.of === now ? ahead.ms : 0;
  useEffect(() => {
    const start = performance.now();
    const timer = setInterval(() => setAhead({ of: now, ms: performance.now() - start }), TICK_MS);
    return () => clearInterval(timer);
  }, [now]);
  const exact = absolute(at, locale);
  const text = (
    <time dateTime={at} title={exact} className="whitespace-nowrap tabular-nums">
      {relative(Date.parse(at) - Date.parse(now) - aheadMs, locale) ?? t("justNow")}
    </time>
  );
  if (!hasExact) return text;
  return (
    <>
      {text} <span className="text-ink-soft text-xs tabular-nums">{exact}</span>
    </>
  );
}

/** Returns a relative time as text, such as "5m ago"; null if the time is now. */
export function relative(ms: number, locale: string): string | null {
  const seconds = Math.round(ms / 1000);
  const step = Math.abs(seconds) < NOW_SECONDS ? null : STEPS.find(([size]) => Math.abs(seconds) >= size);
  if (!step) return null;
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "always", style: STYLES[locale] ?? "narrow" });
  const steps = seconds / step[0];
  // A link that was just created for seven days expires in seven, not in six.
  return format.format(step[1] === "day" && steps > 0 ? Math.round(steps) : Math.trunc(steps), step[1]);
}

/** Returns an exact time in UTC as text, such as "Mar 1, 2026, 10:00:00 UTC" or "2026年3月1日 10:00:00 UTC". */
export function absolute(iso: string, locale: string): string {
  const format = { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC", hourCycle: "h23" } as const;
  return `${new Intl.DateTimeFormat(locale, format).format(new Date(iso))} UTC`;
}
