import Link from "next/link";
import { useTranslations } from "next-intl";
import { Identifier } from "@/components/ui/identifier";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { displayAddress } from "@/lib/domain/addresses/address";
import { type ReceivedSum, receivedByCurrency } from "@/lib/domain/deposits/received";
import { getNetwork, networkTitle } from "@/lib/domain/networks";

export interface DepositRow {
  id: string;
  customerRef: string;
  network: string;
  /** The address in canonical form. */
  address: string;
  sums: readonly ReceivedSum[];
  count: number;
  open: number;
  reversed: number;
  lastAt: Date | null;
}

/** Renders the deposit addresses of customers, one per row, with the final amounts received. */
export function DepositTable({ deposits, now }: { deposits: readonly DepositRow[]; now: Date }) {
  const t = useTranslations("deposits");
  const head = [
    { text: t("customer") },
    { text: t("received"), isRight: true },
    { text: t("address") },
    { text: t("count"), isRight: true },
    { text: t("last"), isRight: true },
  ];
  return (
    <Table caption={t("title")} head={head}>
      {deposits.map(({ id, customerRef, network, address, sums, count, open, reversed, lastAt }) => (
        <tr key={id} className="hover:bg-sunken/50">
          <Cell className="max-w-56">
            <Link
              href={`/dashboard/deposits/${id}`}
              className="block truncate font-medium leading-6 hover:underline"
              title={customerRef}
            >
              {customerRef}
            </Link>
            <span className="block text-ink-soft text-xs">{networkTitle(getNetwork(network))}</span>
          </Cell>
          <Cell isRight>
            <Received sums={sums} />
          </Cell>
          <Cell>
            <Identifier text={displayAddress(getNetwork(network).family, address)} what={t("address")} isShort />
          </Cell>
          <Cell isRight>
            {String(count)}
            {open > 0 ? <span className="block text-ink-soft text-xs">{t("open", { count: open })}</span> : null}
            {reversed > 0 ? <span className="block text-bad text-xs">{t("reversed", { count: reversed })}</span> : null}
          </Cell>
          <Cell isRight className="text-ink-soft">
            {lastAt ? <Time at={lastAt.toISOString()} now={now.toISOString()} /> : t("never")}
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

/** Renders the received amount of each currency, one per line. */
export function Received({ sums }: { sums: readonly ReceivedSum[] }) {
  const t = useTranslations("deposits");
  const received = receivedByCurrency(sums);
  if (received.length === 0) return <span className="text-ink-soft">{t("nothing")}</span>;
  return received.map(({ currency, amount }) => (
    <span key={currency} className="block whitespace-nowrap tabular-nums">
      <span className="font-medium">{grouped(amount)}</span> <span className="text-ink-soft">{currency}</span>
    </span>
  ));
}

/** Returns "1,234.50": grouped by thousands, with at least two decimals. */
function grouped(amount: string): string {
  const [whole = "0", fraction = ""] = amount.split(".");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction.padEnd(2, "0")}`;
}
