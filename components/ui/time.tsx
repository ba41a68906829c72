"use client";

import { useEffect, useState } from "react";

const STEPS: readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"],
];
const FORMAT = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "narrow" });
const TICK_MS = 15_000;

interface TimeProps {
  /** ISO 8601. */
  at: string;
  /** The server's clock when the page was made, ISO 8601: the first words are the same on both sides. */
  now: string;
}

/** How long ago, in words that stay right; the exact time is in the title. */
export function Time({ at, now }: TimeProps) {
  const [aheadMs, setAheadMs] = useState(0);
  useEffect(() => {
    const start = performance.now();
    const timer = setInterval(() => setAheadMs(performance.now() - start), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={absolute(at)} className="whitespace-nowrap tabular-nums">
      {relative(Date.parse(at) - Date.parse(now) - aheadMs)}
    </time>
  );
}

function relative(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (Math.abs(seconds) < 5) return "just now";
  const step = STEPS.find(([size]) => Math.abs(seconds) >= size);
  return step ? FORMAT.format(Math.trunc(seconds / step[0]), step[1]) : "just now";
}

/** "2026-03-01 10:00:00 UTC" */
function absolute(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
