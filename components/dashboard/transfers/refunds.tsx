import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { transferText } from "@/components/dashboard/frame/amount";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";
import { Time } from "@/components/ui/time";
import { addressUrl, displayAddress, displayTxId, linkUnless, transactionUrl } from "@/lib/domain/addresses/address";
import { getNetwork } from "@/lib/domain/networks";
import type { RefundObservation, RefundState } from "@/lib/domain/transfers/refund";
import type { TokenRef } from "@/lib/domain/transfers/transfer";

interface ListedRefund {
  txId: string;
  state: RefundState;
  observation: RefundObservation | null;
  toAddress: string | null;
  movedUnits: bigint | null;
  baseUnits: bigint | null;
  sentAt: Date | null;
  notedAt: Date;
  by: string | null;
}

interface RefundsProps {
  transfer: TokenRef & { baseUnits: bigint; refundedUnits: bigint };
  refunds: readonly ListedRefund[];
  now: Date;
  isSandbox: boolean;
  againFor(refund: ListedRefund): ReactNode;
}

const TONE = { open: "info", final: "good", refused: "bad", never: "warn" } as const;

/** Renders the refunds of a transfer, each with the on-chain state of its transaction. */
export function Refunds({ transfer, refunds, now, isSandbox, againFor }: RefundsProps) {
  const t = useTranslations("refunds");
  const { refundedUnits, baseUnits } = transfer;
  const sums = { amount: transferText({ ...transfer, baseUnits: refundedUnits }), whole: transferText(transfer) };
  return (
    <Card title={t("title")} hint={t("hint")}>
      <div className="grid gap-4">
        {refundedUnits > 0n ? <p className="font-medium tabular-nums">{t("sum", sums)}</p> : null}
        <ul className="grid gap-3">
          {refunds.map((refund) => (
            <li key={refund.txId} className="grid gap-1 border-line border-t pt-3 first:border-t-0 first:pt-0">
              <Refund transfer={transfer} refund={refund} now={now} isSandbox={isSandbox} again={againFor(refund)} />
            </li>
          ))}
        </ul>
        {refundedUnits >= baseUnits ? <p className="text-ink-soft">{t("whole")}</p> : null}
      </div>
    </Card>
  );
}

interface RefundProps extends Pick<RefundsProps, "transfer" | "now" | "isSandbox"> {
  refund: ListedRefund;
  again: ReactNode;
}

function Refund({ transfer, refund, now, isSandbox, again }: RefundProps) {
  const t = useTranslations("refunds");
  const network = getNetwork(transfer.network);
  const { txId, state, observation, baseUnits, movedUnits, toAddress, sentAt, notedAt, by } = refund;
  const text = (units: bigint) => transferText({ ...transfer, baseUnits: units });
  const receiver = (stored: string) => (
    <Identifier
      text={displayAddress(network.family, stored)}
      what={t("receiver")}
      isShort
      href={linkUnless(isSandbox, addressUrl(network, stored))}
    />
  );
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {baseUnits === null ? null : <span className="font-medium tabular-nums">{text(baseUnits)}</span>}
        <Badge tone={TONE[state]}>{t(`state.${state}`)}</Badge>
        <Identifier
          text={displayTxId(network.family, txId)}
          what={t("transaction")}
          isShort
          href={linkUnless(isSandbox, transactionUrl(network, txId))}
        />
        {state === "refused" || state === "never" ? again : null}
      </div>
      <p className="text-[0.8125rem]">
        {state === "never" ? t("never") : t(`says.${observation ?? "asked"}`)}
        {baseUnits !== null && movedUnits !== null && movedUnits > baseUnits
          ? ` ${t("more", { amount: text(movedUnits) })}`
          : null}
      </p>
      <p className="text-[0.8125rem] text-ink-soft">
        {toAddress ? <>{t.rich("to", { address: () => receiver(toAddress) })} · </> : null}
        {sentAt ? (
          <>{t.rich("sent", { time: () => <Time at={sentAt.toISOString()} now={now.toISOString()} /> })} · </>
        ) : null}
        {by ? `${t("by", { who: by })} · ` : null}
        <Time at={notedAt.toISOString()} now={now.toISOString()} />
      </p>
    </>
  );
}
