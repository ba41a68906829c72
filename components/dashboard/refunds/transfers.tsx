import { useTranslations } from "next-intl";
import { amountText } from "@/components/dashboard/frame/amount";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";
import { Time } from "@/components/ui/time";
import { displayTxId, linkUnless, transactionUrl } from "@/lib/domain/addresses/address";
import { type Currency, getNetwork } from "@/lib/domain/networks";
import type { RefundTransferProblem } from "@/lib/domain/refunds/refund";
import type { TransferStatus } from "@/lib/domain/transfers/transfer";

interface SentTransfer {
  network: string;
  txId: string;
  position: string;
  currency: Currency;
  baseUnits: bigint;
  blockTime: Date;
  status: TransferStatus;
  refundId: string | null;
  problem: RefundTransferProblem | null;
}

interface RefundTransfersProps {
  refundId: string;
  transfers: readonly SentTransfer[];
  isSandbox: boolean;
  now: Date;
}

/** Renders the transfers to the address of a refund: the one that completes it, and those that do not, with the reason. */
export function RefundTransfers({ refundId, transfers, isSandbox, now }: RefundTransfersProps) {
  const t = useTranslations("refundPages");
  return (
    <Card title={t("transfers")} hint={t("transfersHint")}>
      {transfers.length === 0 ? (
        <p className="text-ink-soft">{t("noTransfers")}</p>
      ) : (
        <ul className="grid gap-3">
          {transfers.map((one) => (
            <li
              key={`${one.txId} ${one.position}`}
              className="grid gap-1 border-line border-t pt-3 first:border-t-0 first:pt-0"
            >
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span className="font-medium tabular-nums">
                  {amountText(one.baseUnits, one.network, one.currency)} {one.currency}
                </span>
                <StateBadge refundId={refundId} transfer={one} />
                <Identifier
                  text={displayTxId(getNetwork(one.network).family, one.txId)}
                  what={t("transaction")}
                  isShort
                  href={linkUnless(isSandbox, transactionUrl(getNetwork(one.network), one.txId))}
                />
              </div>
              <p className="text-[0.8125rem] text-ink-soft">
                {one.problem ? `${t(`problem.${one.problem}`)} · ` : null}
                {getNetwork(one.network).name} · <Time at={one.blockTime.toISOString()} now={now.toISOString()} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function StateBadge({ refundId, transfer }: { refundId: string; transfer: SentTransfer }) {
  const t = useTranslations("refundPages");
  if (transfer.status === "dropped") return <Badge tone="bad">{t("dropped")}</Badge>;
  if (transfer.refundId !== refundId)
    return <Badge tone="warn">{t(transfer.refundId === null ? "completesNone" : "completesOther")}</Badge>;
  return transfer.status === "confirmed" ? (
    <Badge tone="good">{t("completes")}</Badge>
  ) : (
    <Badge tone="info">{t("confirming")}</Badge>
  );
}
