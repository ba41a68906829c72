import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { TransferAmount, transferText } from "@/components/dashboard/frame/amount";
import { TransferState } from "@/components/dashboard/frame/states";
import { type DepthFacts, depthText } from "@/components/dashboard/transfers/transfer-text";
import { Identifier } from "@/components/ui/identifier";
import { Cell, rowLook, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { displayAddress, displayTxId, linkUnless, transactionUrl } from "@/lib/domain/addresses/address";
import type { NamedTarget } from "@/lib/domain/credit-target";
import { getNetwork } from "@/lib/domain/networks";
import type { Contradiction, TokenRef, UnmatchedReason } from "@/lib/domain/transfers/transfer";

export interface TransferRow extends TokenRef, DepthFacts {
  id: string;
  txId: string;
  fromAddress: string;
  toAddress: string;
  baseUnits: bigint;
  contradiction: Contradiction | null;
  unmatchedReason: UnmatchedReason | null;
  isSweep: boolean;
  seenAt: Date;
  confirmations: number | null;
  /** The time at which a reorg dropped the transfer after it was confirmed; null otherwise. */
  lostAt: Date | null;
  orderId: string | null;
  /** The credited order or deposit address; null if the transfer is unmatched. */
  target: NamedTarget | null;
  isAssigned: boolean;
  mchOrderId: string | null;
  /** The amount of the recorded refunds that are final. */
  refundedUnits: bigint;
}

interface TransferTableProps {
  transfers: readonly TransferRow[];
  now: Date;
  isSandbox: boolean;
  /** True if the order is hidden, because the table is on the order's own page. */
  isOfOneOrder?: boolean;
  /** The ids of rows that no longer match the list's filter. */
  gone?: ReadonlySet<string>;
  /** Renders the actions that a user can take on a transfer. */
  actionFor?: (transfer: TransferRow) => ReactNode;
}

/** Renders transfers, one per row, each with its on-chain facts and its result. */
export function TransferTable({
  transfers,
  now,
  isSandbox,
  isOfOneOrder = false,
  gone,
  actionFor,
}: TransferTableProps) {
  const t = useTranslations("transfers");
  const live = useTranslations("live");
  const head = [
    { text: t("amount"), isRight: true },
    { text: t("status") },
    ...(isOfOneOrder ? [] : [{ text: t("order") }]),
    { text: t("transaction") },
    { text: t("seen"), isRight: true },
  ];
  return (
    <Table caption={t("title")} head={head}>
      {transfers.map((transfer) => (
        <tr key={transfer.id} {...rowLook(gone?.has(transfer.id), live("gone"))}>
          <Cell isRight>
            <TransferAmount transfer={transfer} isBare />
            <span className="block text-ink-soft text-xs">{getNetwork(transfer.network).name}</span>
          </Cell>
          <Cell>
            <State transfer={transfer} />
          </Cell>
          {isOfOneOrder ? null : (
            <Cell className="max-w-56 whitespace-normal!">
              <Fate {...transfer} />
            </Cell>
          )}
          <Cell>
            <Identifier
              text={displayTxId(getNetwork(transfer.network).family, transfer.txId)}
              what={t("hash")}
              isShort
              href={linkUnless(isSandbox, transactionUrl(getNetwork(transfer.network), transfer.txId))}
            />
            <span className="block text-ink-soft text-xs">
              <Sender {...transfer} />
            </span>
          </Cell>
          <Cell isRight className="text-ink-soft">
            <Link href={`/dashboard/transfers/${transfer.id}`} className="hover:underline" title={t("open")}>
              <Time at={transfer.seenAt.toISOString()} now={now.toISOString()} />
            </Link>
            {isOfOneOrder && transfer.isAssigned ? <span className="block text-xs">{t("manual")}</span> : null}
            {actionFor ? <span className="mt-1 block">{actionFor(transfer)}</span> : null}
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

/** Renders the status of a transfer, with links to later events. */
function State({ transfer }: { transfer: TransferRow }) {
  const t = useTranslations("transfers");
  return (
    <>
      <TransferState status={transfer.status} />
      <span className="block text-ink-soft text-xs">{depthText(transfer, t)}</span>
      {transfer.lostAt && transfer.status === "confirmed" ? (
        <Link href={`/dashboard/transfers/${transfer.id}`} className="block text-bad text-xs hover:underline">
          {t("lost")}
        </Link>
      ) : null}
      {transfer.refundedUnits > 0n ? (
        <Link href={`/dashboard/transfers/${transfer.id}`} className="block text-xs hover:underline">
          {t("refunded", { amount: transferText({ ...transfer, baseUnits: transfer.refundedUnits }) })}
        </Link>
      ) : null}
      {transfer.status === "seen" && transfer.contradiction ? (
        <Link href={`/dashboard/transfers/${transfer.id}`} className="block text-warn text-xs hover:underline">
          {t("contradicted")}
        </Link>
      ) : null}
    </>
  );
}

function Sender({ network, fromAddress }: TransferRow) {
  const t = useTranslations("transfers");
  if (fromAddress === "") return t("fromNobody");
  const address = displayAddress(getNetwork(network).family, fromAddress);
  return (
    <>
      {t("from")} <Identifier text={address} what={t("sender")} isShort />
    </>
  );
}

function Fate({ id, orderId, mchOrderId, target, unmatchedReason, isAssigned, isSweep }: TransferRow) {
  const t = useTranslations("transfers");
  const state = useTranslations("states");
  if (orderId)
    return (
      <>
        <Link
          href={`/dashboard/orders/${orderId}`}
          className="block truncate font-medium leading-6 hover:underline"
          title={mchOrderId ?? orderId}
        >
          {mchOrderId ?? orderId}
        </Link>
        {isAssigned ? <span className="block text-ink-soft text-xs">{t("manual")}</span> : null}
      </>
    );
  if (target?.kind === "deposit")
    return (
      <>
        <Link
          href={`/dashboard/deposits/${target.id}`}
          className="block truncate font-medium leading-6 hover:underline"
          title={target.reference}
        >
          {target.reference}
        </Link>
        <span className="block text-ink-soft text-xs">{t("deposit")}</span>
      </>
    );
  if (unmatchedReason)
    return (
      <>
        <Link href={`/dashboard/transfers/${id}`} className="font-medium text-warn hover:underline">
          {t("unmatched")}
        </Link>
        <span className="block text-ink-soft text-xs sm:min-w-40">{state(`reason.${unmatchedReason}`)}</span>
      </>
    );
  return <span className="text-ink-soft">{t(isSweep ? "swept" : "matching")}</span>;
}
