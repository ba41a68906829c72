/** @jsxImportSource hono/jsx */

const utc = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** An instant in UTC, which the script rewrites in the payer's own time zone. `at` is Unix milliseconds. */
export function Time({ at }: { at: number }) {
  return <time datetime={new Date(at).toISOString()}>{`${utc.format(at)} UTC`}</time>;
}
