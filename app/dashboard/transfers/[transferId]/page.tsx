import { notFound } from "next/navigation";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { TransferChoices } from "@/app/dashboard/transfers/[transferId]/transfer-choices";
import { LookAgain } from "@/app/dashboard/transfers/refund-form";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { transferText } from "@/components/dashboard/frame/amount";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { TransferState } from "@/components/dashboard/frame/states";
import { reportedCallback } from "@/components/dashboard/progress/order-progress";
import { Progress } from "@/components/dashboard/progress/progress";
import { transferProgress } from "@/components/dashboard/progress/transfer-progress";
import { OrderRefunds } from "@/components/dashboard/refunds/order-refunds";
import { TransferClaims } from "@/components/dashboard/transfers/claims";
import { ContradictionNotice } from "@/components/dashboard/transfers/contradiction";
import { TransferFacts } from "@/components/dashboard/transfers/facts";
import { Refunds } from "@/components/dashboard/transfers/refunds";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { Refresher } from "@/components/ui/refresher";
import type { Db } from "@/db/client";
import { findOrderPage, listOrderCallbacks } from "@/db/queries/orders/back-office";
import { listClaimsOf } from "@/db/queries/transfers/payment-claims";
import { listRefunds } from "@/db/queries/transfers/refunds";
import { findTransfer, type ListedTransfer } from "@/db/queries/transfers/transfer-list";
import { mayChange } from "@/lib/domain/keys/role";
import type { SearchParams } from "@/lib/domain/list-cursor";
import { transferFilter } from "@/lib/domain/transfers/filter";
import { isLookAlike, tokenOf } from "@/lib/domain/transfers/transfer";
import { readRefundsOf } from "@/lib/refunds/refundable";

export const generateMetadata = pageTitle("transfer");

const REFRESH_MS = 4_000;

interface Props {
  params: Promise<{ transferId: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function TransferPage({ params, searchParams }: Props) {
  const person = await requirePerson();
  const { env, pool, now } = getContext();
  const [t, list] = await Promise.all([getTranslations("transfer"), getTranslations("transfers")]);
  const { transferId } = await params;
  const transfer = await findTransfer(pool.db, person.merchantId, transferId);
  if (!transfer) notFound();
  const found = await readTransfer(pool.db, person.merchantId, transfer);
  const { recorded, claims, refunds } = found;
  const isMoving = transfer.status === "seen" || recorded.some(({ state }) => state === "open");
  const canChange = mayChange(person.role);
  const { text = "" } = transferFilter.parse(await searchParams);
  return (
    <>
      {isMoving ? <Refresher everyMs={REFRESH_MS} /> : null}
      <PageHead
        back={{ href: "/dashboard/transfers", text: list("title") }}
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="tabular-nums">{transferText(transfer)}</span>
            <span className="font-normal text-sm tracking-normal">
              <TransferState status={transfer.status} />
            </span>
          </span>
        }
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <TransferSteps transfer={transfer} found={found} now={now()} />
          {transfer.lostAt ? <Lost isAcknowledged={transfer.lostAcknowledgedAt !== null} /> : null}
          <ContradictionNotice transfers={[transfer]} />
          <TransferClaims claims={claims.filter(({ orderId }) => orderId !== transfer.orderId)} now={now()} />
          <Fate transfer={transfer} />
          <TransferChoices
            transfer={transfer}
            merchantId={person.merchantId}
            text={text}
            refunds={refunds}
            canChange={canChange}
          />
          {refunds ? <OrderRefunds refunds={refunds.refunds} now={now()} /> : null}
          {recorded.length > 0 ? (
            <Refunds
              transfer={transfer}
              refunds={recorded}
              now={now()}
              isSandbox={env.isSandbox}
              againFor={({ txId }) => (canChange ? <LookAgain transferId={transfer.id} txId={txId} /> : null)}
            />
          ) : null}
        </div>
        <Card title={t("details")}>
          <TransferFacts transfer={transfer} now={now()} isSandbox={env.isSandbox} />
        </Card>
      </div>
    </>
  );
}

function Lost({ isAcknowledged }: { isAcknowledged: boolean }) {
  const t = useTranslations("transfer");
  return (
    <Notice tone="bad">
      {t("lost")}
      {isAcknowledged ? ` ${t("acknowledged")}` : null}
    </Notice>
  );
}

interface TransferStepsProps {
  transfer: ListedTransfer;
  found: Awaited<ReturnType<typeof readTransfer>>;
  now: Date;
}

function TransferSteps({ transfer, found: { order, callbacks }, now }: TransferStepsProps) {
  const t = useTranslations("progress");
  const list = useTranslations("transfers");
  const facts = { transfer, callback: reportedCallback(callbacks), hasUrl: order !== null && order.notifyUrl !== null };
  return <Progress steps={transferProgress(facts, { t, list })} now={now} />;
}

/** Returns the records that refer to a transfer. */
async function readTransfer(db: Db, merchantId: string, { id, txId, orderId }: ListedTransfer) {
  const [recorded, claims, refunds, found, callbacks] = await Promise.all([
    listRefunds(db, merchantId, id),
    listClaimsOf(db, merchantId, txId),
    orderId === null ? readRefundsOf(db, merchantId, { orderId: null, transferId: id }) : null,
    orderId === null ? null : findOrderPage(db, merchantId, orderId),
    orderId === null ? [] : listOrderCallbacks(db, merchantId, orderId),
  ]);
  return { recorded, claims, refunds, order: found?.order ?? null, callbacks };
}

function Fate({ transfer }: { transfer: ListedTransfer }) {
  const t = useTranslations("transfer");
  const state = useTranslations("states");
  const list = useTranslations("transfers");
  const { orderId, mchOrderId, target, isAssigned, unmatchedReason, status } = transfer;
  if (orderId)
    return (
      <Notice tone={status === "dropped" ? "warn" : "good"}>
        {t.rich(status === "dropped" ? "belonged" : "belongs", {
          number: () => <span className="font-medium">{mchOrderId}</span>,
          isAssigned: isAssigned ? "yes" : "no",
        })}
      </Notice>
    );
  if (status === "dropped") return <Notice tone="info">{t("dropped")}</Notice>;
  if (target?.kind === "deposit") return <Notice tone="good">{t("deposit", { customer: target.reference })}</Notice>;
  const token = tokenOf(transfer);
  if (unmatchedReason && isLookAlike(token))
    return (
      <Notice tone="warn">
        {t.rich("lookAlike", { name: () => <strong>{token.name}</strong>, symbol: token.symbol })} {token.why}{" "}
        {list("lookAlikeAdvice")}
      </Notice>
    );
  if (unmatchedReason)
    return <Notice tone="warn">{t("unpaid", { reason: state(`reason.${unmatchedReason}`) })}</Notice>;
  return <Notice tone="info">{t(transfer.isSweep ? "swept" : "matching")}</Notice>;
}
