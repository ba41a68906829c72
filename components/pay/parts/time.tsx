/** @jsxImportSource hono/jsx */

const utc = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/**
 * An instant in UTC, which the script rewrites in the payer's own time zone, or as how long ago it is. `at` is Unix milliseconds.
 */
export function Time({ at, isAge }: { at: number; isAge?: boolean }) {
  return (
    <time datetime={new Date(at).toISOString()} data-age={isAge ? "" : undefined}>
      {`${utc.format(at)} UTC`}
    </time>
  );
}
