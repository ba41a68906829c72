/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";
import { SLOT } from "@/components/pay/messages/isolation";
import { Filled } from "@/components/pay/parts/rich";

const formats = new Map<string, Intl.DateTimeFormat>();

/** Renders a time in UTC. The script replaces it with the time in the payer's time zone, or with its age. `at` is in Unix milliseconds. */
export function Time({ at, t, isAge }: { at: number; t: Messages; isAge?: boolean }) {
  return (
    <time datetime={new Date(at).toISOString()} data-age={isAge ? "" : undefined}>
      {`${formatOf(t.lang).format(at)} UTC`}
    </time>
  );
}

/** Renders the payment deadline. `at` is in Unix milliseconds. */
export function PayBefore({ at, t }: { at: number; t: Messages }) {
  return (
    <Filled text={t.payBefore(SLOT)}>
      <Time at={at} t={t} />
    </Filled>
  );
}

function formatOf(lang: string): Intl.DateTimeFormat {
  const known = formats.get(lang);
  if (known) return known;
  const format = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
    numberingSystem: "latn",
  });
  formats.set(lang, format);
  return format;
}
