import { useTranslations } from "next-intl";
import { Identifier } from "@/components/ui/identifier";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";
import { displayTxId, linkUnless, transactionUrl } from "@/lib/domain/addresses/address";
import { getNetwork } from "@/lib/domain/networks";
import type { Refund } from "@/lib/domain/refunds/refund";

interface PaymentRecordProps {
  refund: Refund;
  isSandbox: boolean;
  now: Date;
}

/** Renders the payments of an approved refund that were started: with a wallet, or in a batch file. Nothing if there is none. */
export function PaymentRecord({ refund, isSandbox, now }: PaymentRecordProps) {
  const t = useTranslations("refundPages");
  const { walletStartedAt, walletSentAt, walletTxId, exportedAt } = refund;
  const network = getNetwork(refund.network ?? "");
  const timeOf = (at: Date) => () => <Time at={at.toISOString()} now={now.toISOString()} />;
  if (walletStartedAt === null && exportedAt === null) return null;
  return (
    <Notice tone="warn">
      <div className="grid gap-1">
        {walletSentAt !== null ? (
          <p>{t.rich("wallet.sentAt", { time: timeOf(walletSentAt) })}</p>
        ) : walletStartedAt !== null ? (
          <p>{t.rich("wallet.askedAt", { time: timeOf(walletStartedAt) })}</p>
        ) : null}
        {walletTxId === null ? null : (
          <p>
            {t("transaction")}{" "}
            <Identifier
              text={displayTxId(network.family, walletTxId)}
              what={t("transaction")}
              isShort
              href={linkUnless(isSandbox, transactionUrl(network, walletTxId))}
            />
          </p>
        )}
        {exportedAt === null ? null : <p>{t.rich("batch.since", { time: timeOf(exportedAt) })}</p>}
        <p>{t("wallet.detected")}</p>
      </div>
    </Notice>
  );
}
