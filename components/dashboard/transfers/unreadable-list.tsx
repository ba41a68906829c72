import { useTranslations } from "next-intl";
import { Identifier } from "@/components/ui/identifier";
import { Time } from "@/components/ui/time";
import { displayAddress, displayTxId, linkUnless, transactionUrl } from "@/lib/domain/addresses/address";
import { getNetwork } from "@/lib/domain/networks";

export interface UnreadableRow {
  network: string;
  txId: string;
  /** The account of the address that the transaction affected. */
  account: string;
  address: string;
  /** The error that the endpoints report. */
  reason: string;
  firstSeenAt: Date;
  triedAt: Date;
}

interface UnreadableListProps {
  transactions: readonly UnreadableRow[];
  now: Date;
  isSandbox: boolean;
}

/** Renders transactions on the merchant's addresses that no endpoint returns, each with the reason. */
export function UnreadableList({ transactions, now, isSandbox }: UnreadableListProps) {
  const t = useTranslations("transfers");
  return (
    <ul className="divide-y divide-line border-line border-t first:border-t-0">
      {transactions.map((transaction) => (
        <li
          key={`${transaction.txId} ${transaction.account}`}
          className="grid gap-x-6 gap-y-2.5 px-4 py-3.5 sm:px-5 md:grid-cols-2"
        >
          <Transaction {...transaction} now={now} isSandbox={isSandbox} />
          <details className="min-w-0 text-[0.8125rem] text-ink-soft">
            <summary className="w-fit rounded text-warn">{t("endpointsSay")}</summary>
            <p className="mt-1.5 break-words">{transaction.reason}</p>
          </details>
        </li>
      ))}
    </ul>
  );
}

function Transaction({
  network: id,
  txId,
  address,
  firstSeenAt,
  triedAt,
  now,
  isSandbox,
}: UnreadableRow & Pick<UnreadableListProps, "now" | "isSandbox">) {
  const t = useTranslations("transfers");
  const network = getNetwork(id);
  return (
    <div className="grid min-w-0 content-start gap-1">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Identifier
          text={displayTxId(network.family, txId)}
          what={t("hash")}
          isShort
          href={linkUnless(isSandbox, transactionUrl(network, txId))}
        />
        <span className="text-ink-soft text-xs">{network.name}</span>
      </p>
      <p className="text-[0.8125rem] text-ink-soft">
        {t.rich("on", {
          address: () => <Identifier text={displayAddress(network.family, address)} what={t("receiving")} isShort />,
          seen: () => <Time at={firstSeenAt.toISOString()} now={now.toISOString()} />,
          tried: () => <Time at={triedAt.toISOString()} now={now.toISOString()} />,
        })}
      </p>
    </div>
  );
}
