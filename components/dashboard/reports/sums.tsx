import { Amount } from "@/components/dashboard/frame/amount";
import { exceptionText, statusText } from "@/components/dashboard/frame/states";
import { Card } from "@/components/ui/card";
import { Cell, Table } from "@/components/ui/table";
import { type Currency, getNetwork } from "@/lib/domain/networks";
import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";
import { priceText } from "@/lib/domain/rates/currencies";
import type { LedgerKind } from "@/lib/domain/reports";

export interface LedgerSum {
  network: string;
  currency: Currency | null;
  kind: LedgerKind;
  transfers: number;
  units: bigint;
}

const KINDS: Record<LedgerKind, { text: string; hint: string }> = {
  matched: { text: "Paid to orders", hint: "counts for the order that asked for it" },
  assigned: { text: "Assigned by hand", hint: "a person gave it to an order" },
  unmatched: { text: "Unmatched", hint: "arrived, and no order has it" },
  reversed: { text: "Taken back", hint: "the chain took it back: no money" },
  open: { text: "Not final yet", hint: "may still be taken back" },
  look_alike: { text: "Other tokens", hint: "only look like a currency; not summed" },
};

/** What moved within a month, by what became of it and by token. */
export function LedgerSums({ sums }: { sums: readonly LedgerSum[] }) {
  const head = [
    { text: "Transfers" },
    { text: "Network" },
    { text: "Count", isRight: true },
    { text: "Sum", isRight: true },
  ];
  const kinds = (Object.keys(KINDS) as LedgerKind[]).filter((kind) => sums.some((sum) => sum.kind === kind));
  return (
    <Table caption="Transfers of the month" head={head}>
      {kinds.flatMap((kind) =>
        sums
          .filter((sum) => sum.kind === kind)
          .map(({ network, currency, transfers, units }, index) => (
            <tr key={kind + network + currency}>
              <Cell>
                {index === 0 ? (
                  <>
                    <span className="font-medium">{KINDS[kind].text}</span>
                    <span className="hidden text-ink-soft text-xs sm:block">{KINDS[kind].hint}</span>
                  </>
                ) : (
                  <span className="sr-only">{KINDS[kind].text}</span>
                )}
              </Cell>
              <Cell>{getNetwork(network).name}</Cell>
              <Cell isRight>{transfers.toLocaleString("en")}</Cell>
              <Cell isRight>
                {currency === null ? "–" : <Amount units={units} network={network} currency={currency} isBare />}
              </Cell>
            </tr>
          )),
      )}
    </Table>
  );
}

/** What became of the orders made within a month. */
export function OrderCounts({
  counts,
}: {
  counts: readonly { status: OrderStatus; exception: OrderException | null; orders: number }[];
}) {
  const all = counts.reduce((sum, { orders }) => sum + orders, 0);
  return (
    <Card title="Orders made" hint={`${all.toLocaleString("en")} in all, as they stand now`}>
      <Lines
        lines={counts.map(({ status, exception, orders }) => ({
          name: exception ? `${statusText(status)}, ${exceptionText(exception).toLowerCase()}` : statusText(status),
          value: orders.toLocaleString("en"),
        }))}
      />
    </Card>
  );
}

/** What priced payments were worth. */
export function FiatSums({ sums }: { sums: readonly { fiat: string; transfers: number; value: string }[] }) {
  return (
    <Card title="Value at payment" hint="Final transfers of orders with a price, at the rate frozen with it">
      {sums.length === 0 ? (
        <p className="text-ink-soft">No order with a price in other money was paid.</p>
      ) : (
        <Lines
          lines={sums.map(({ fiat, transfers, value }) => ({
            name: `${transfers.toLocaleString("en")} ${transfers === 1 ? "transfer" : "transfers"}`,
            value: priceText({ amount: value, fiat }),
          }))}
        />
      )}
    </Card>
  );
}

function Lines({ lines }: { lines: readonly { name: string; value: string }[] }) {
  return (
    <dl className="grid gap-1.5">
      {lines.map(({ name, value }) => (
        <div key={name + value} className="flex justify-between gap-4">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
