import Link from "next/link";
import { useTranslations } from "next-intl";
import { RefundState } from "@/components/dashboard/refunds/state";
import { Identifier } from "@/components/ui/identifier";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { displayAddress } from "@/lib/domain/addresses/address";
import { displayMicro } from "@/lib/domain/money";
import { getNetwork, networkTitle } from "@/lib/domain/networks";
import type { Refund } from "@/lib/domain/refunds/refund";

type Row = Refund & { mchOrderId: string | null };

/** Renders refunds, one per row. */
export function RefundTable({ refunds, now }: { refunds: readonly Row[]; now: Date }) {
  const t = useTranslations("refundPages");
  const head = [
    { text: t("amount") },
    { text: t("status") },
    { text: t("order") },
    { text: t("address") },
    { text: t("requested"), isRight: true },
  ];
  return (
    <Table caption={t("title")} head={head}>
      {refunds.map((refund) => (
        <RefundLine key={refund.id} refund={refund} now={now} />
      ))}
    </Table>
  );
}

function RefundLine({ refund, now }: { refund: Row; now: Date }) {
  const t = useTranslations("refundPages");
  const { id, microUnits, currency, price, status, mchOrderId, orderId, address, createdAt } = refund;
  const network = refund.network === null ? null : getNetwork(refund.network);
  return (
    <tr className="hover:bg-sunken/50">
      <Cell>
        <Link
          href={`/dashboard/refunds/${id}`}
          className="block whitespace-nowrap font-medium tabular-nums hover:underline"
        >
          {displayMicro(microUnits)} {currency}
        </Link>
        {price ? (
          <span className="block text-ink-soft text-xs tabular-nums">
            {price.amount} {price.fiat}
          </span>
        ) : null}
      </Cell>
      <Cell>
        <RefundState status={status} />
        {status === "approved" && refund.exportedAt ? (
          <span className="block text-ink-soft text-xs">
            {t.rich("batch.since", {
              time: () => <Time at={refund.exportedAt?.toISOString() ?? ""} now={now.toISOString()} />,
            })}
          </span>
        ) : null}
      </Cell>
      <Cell className="max-w-56">
        {orderId === null ? (
          <span className="text-ink-soft">{t("ofTransfer")}</span>
        ) : (
          <Link
            href={`/dashboard/orders/${orderId}`}
            className="block truncate hover:underline"
            title={mchOrderId ?? orderId}
          >
            {mchOrderId ?? orderId}
          </Link>
        )}
      </Cell>
      <Cell>
        {network && address !== null ? (
          <>
            <Identifier text={displayAddress(network.family, address)} what={t("address")} isShort />
            <span className="block text-ink-soft text-xs">{networkTitle(network)}</span>
          </>
        ) : (
          <span className="text-ink-soft">{t("notClaimed")}</span>
        )}
      </Cell>
      <Cell isRight className="text-ink-soft">
        <Time at={createdAt.toISOString()} now={now.toISOString()} />
      </Cell>
    </tr>
  );
}
