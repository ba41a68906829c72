import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";

export interface PriceLine {
  fiat: string;
  mode: "market" | "markup" | "fixed";
  markUpBasisPoints: number;
  /** Decimal text; null: none. */
  fixedRate: string | null;
  rates: ({ currency: string } & ({ rate: string; source: string; at: Date } | { problem: string }))[];
}

const HEAD = [
  { text: "Currency" },
  { text: "Counted by" },
  { text: "Rate at present" },
  { text: "Actions", isHidden: true },
];

/** How prices in each currency are counted, and at which rate now. */
export function PriceTable({
  prices,
  now,
  actionFor,
}: {
  prices: readonly PriceLine[];
  now: Date;
  actionFor(price: PriceLine): ReactNode;
}) {
  return (
    <Table caption="Prices" head={HEAD}>
      {prices.map((price) => (
        <tr key={price.fiat}>
          <Cell className="font-medium">{price.fiat}</Cell>
          <Cell>
            {countedBy(price)}
            {price.mode !== "fixed" && price.fixedRate !== null ? (
              <span className="block text-[0.8125rem] text-ink-soft">{price.fixedRate} while there is no rate</span>
            ) : null}
          </Cell>
          <Cell>
            <ul className="grid gap-1">
              {price.rates.map((rate) => (
                <li key={rate.currency}>
                  {"problem" in rate ? (
                    <span className="text-warn">
                      {rate.currency}: {rate.problem}
                    </span>
                  ) : (
                    <>
                      1 {rate.currency} = {rate.rate} {price.fiat}
                      <span className="block text-[0.8125rem] text-ink-soft">
                        {rate.source}, <Time at={rate.at.toISOString()} now={now.toISOString()} />
                      </span>
                    </>
                  )}
                </li>
              ))}
            </ul>
          </Cell>
          <Cell isRight>{actionFor(price)}</Cell>
        </tr>
      ))}
    </Table>
  );
}

function countedBy({ mode, markUpBasisPoints }: PriceLine): string {
  if (mode === "fixed") return "A fixed rate";
  return mode === "market" ? "The market" : `The market, payers pay ${markUpBasisPoints / 100} % more`;
}

export interface SourceLine {
  id: string;
  isOff: boolean;
  answeredAt: Date | null;
  /** In words; null where all is well. */
  failure: string | null;
  warning: string | null;
}

/** Where the market's rates come from, and what is wrong with whom. */
export function SourcePanel({ sources, now }: { sources: readonly SourceLine[]; now: Date }) {
  return (
    <Card
      title="Sources of rates"
      hint="Their median counts. One that is more than a tenth away from the others is left out."
      isFlush
      className="mt-4"
    >
      <ul className="divide-y divide-line border-line border-t">
        {sources.map((source) => (
          <li key={source.id} className="flex items-start justify-between gap-4 px-4 py-3 sm:px-5">
            <div className="min-w-0">
              <p className="font-medium">{source.id}</p>
              <p className="break-words text-[0.8125rem] text-ink-soft">
                {source.answeredAt ? (
                  <>
                    Last answered <Time at={source.answeredAt.toISOString()} now={now.toISOString()} />
                  </>
                ) : (
                  "Not read yet"
                )}
              </p>
              {source.failure === null ? null : (
                <p className="break-words text-[0.8125rem] text-warn">No number: {source.failure}</p>
              )}
              {source.warning === null ? null : (
                <p className="break-words text-[0.8125rem] text-warn">{source.warning}</p>
              )}
            </div>
            {state(source)}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function state({ isOff, answeredAt, failure, warning }: SourceLine): ReactNode {
  if (isOff) return <Badge tone="neutral">Switched off</Badge>;
  if (failure !== null) return <Badge tone="warn">Failing</Badge>;
  if (warning !== null) return <Badge tone="warn">Left out</Badge>;
  return answeredAt ? <Badge tone="good">Well</Badge> : <Badge tone="neutral">Unused</Badge>;
}
