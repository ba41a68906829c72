/** @jsxImportSource hono/jsx */

const utc = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** An instant in UTC, which the script rewrites in the payer's own time zone. `at` is Unix milliseconds. */
export function Time({ at }: { at: number }) {
  return <time datetime={new Date(at).toISOString()}>{`${utc.format(at)} UTC`}</time>;
}

/** "24:05" until an instant, from `now`; the script keeps it going. Both Unix milliseconds. */
export function clockText(untilMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((untilMs - nowMs) / 1000));
  const hours = Math.floor(seconds / 3600);
  const pair = (value: number) => String(value).padStart(2, "0");
  const rest = `${pair(Math.floor(seconds / 60) % 60)}:${pair(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
