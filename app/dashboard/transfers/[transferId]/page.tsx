import { Search } from "lucide-react";
import Link from "next/link";
import { notFound } from "next/navigation";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { RefundsOf } from "@/app/dashboard/refunds/refunds-of";
import { AcknowledgeButton } from "@/app/dashboard/transfers/acknowledge-button";
import { AssignTo } from "@/app/dashboard/transfers/assign-to";
import { LookAgain, RefundForm } from "@/app/dashboard/transfers/refund-form";
import { UnlinkButton } from "@/app/dashboard/transfers/unlink-button";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { transferText } from "@/components/dashboard/frame/amount";
import { FILTER_CONTROL } from "@/components/dashboard/frame/filter-pick";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { TransferState } from "@/components/dashboard/frame/states";
import { TransferClaims } from "@/components/dashboard/transfers/claims";
import { ContradictionNotice } from "@/components/dashboard/transfers/contradiction";
import { TransferFacts } from "@/components/dashboard/transfers/facts";
import { LikelyOrderList } from "@/components/dashboard/transfers/likely-order-list";
import { Refunds } from "@/components/dashboard/transfers/refunds";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { Refresher } from "@/components/ui/refresher";
import { listClaimsOf } from "@/db/queries/transfers/payment-claims";
import { listRefunds } from "@/db/queries/transfers/refunds";
import { findTransfer, type ListedTransfer } from "@/db/queries/transfers/transfer-list";
import { mayChange } from "@/lib/domain/keys/role";
import type { SearchParams } from "@/lib/domain/list-cursor";
import type { LikelyOrder } from "@/lib/domain/orders/likely-orders";
import { transferFilter } from "@/lib/domain/transfers/filter";
import { isLookAlike, tokenOf } from "@/lib/domain/transfers/transfer";
import { findNamedOrders, suggestOrders } from "@/lib/ledger/suggest-orders";

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
  const [refunds, claims] = await Promise.all([
    listRefunds(pool.db, person.merchantId, transferId),
    listClaimsOf(pool.db, person.merchantId, transfer.txId),
  ]);
  const isMoving = transfer.status === "seen" || refunds.some(({ state }) => state === "open");
  const mayNote = mayChange(person.role);
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
          {transfer.lostAt ? <Lost transfer={transfer} canAcknowledge={mayChange(person.role)} /> : null}
          <ContradictionNotice transfers={[transfer]} />
          <TransferClaims claims={claims.filter(({ orderId }) => orderId !== transfer.orderId)} now={now()} />
          <Fate transfer={transfer} canUnlink={mayChange(person.role)} />
          {isUnmatched(transfer) ? (
            <Choices
              transfer={transfer}
              text={text}
              merchantId={person.merchantId}
              canAssign={mayChange(person.role)}
            />
          ) : null}
          {transfer.orderId === null ? (
            <RefundsOf person={person} subject={{ orderId: null, transferId: transfer.id }} isOverpaid={false} />
          ) : null}
          {transfer.status === "confirmed" || refunds.length > 0 ? (
            <Refunds
              transfer={transfer}
              refunds={refunds}
              now={now()}
              isSandbox={env.isSandbox}
              form={mayNote && transfer.status === "confirmed" ? <RefundForm transferId={transfer.id} /> : null}
              againFor={({ txId }) => (mayNote ? <LookAgain transferId={transfer.id} txId={txId} /> : null)}
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

function isUnmatched({ orderId, unmatchedReason, status }: ListedTransfer): boolean {
  return orderId === null && unmatchedReason !== null && status !== "dropped";
}

function Lost({ transfer, canAcknowledge }: { transfer: ListedTransfer; canAcknowledge: boolean }) {
  const t = useTranslations("transfer");
  const isOpen = transfer.lostAcknowledgedAt === null;
  return (
    <Notice tone="bad" action={isOpen && canAcknowledge ? <AcknowledgeButton transferId={transfer.id} /> : null}>
      {t("lost")}
      {isOpen ? null : ` ${t("acknowledged")}`}
    </Notice>
  );
}

function Fate({ transfer, canUnlink }: { transfer: ListedTransfer; canUnlink: boolean }) {
  const t = useTranslations("transfer");
  const state = useTranslations("states");
  const list = useTranslations("transfers");
  const { orderId, mchOrderId, orderStatus, target, isAssigned, unmatchedReason, status } = transfer;
  if (orderId)
    return (
      <Notice
        tone={status === "dropped" ? "warn" : "good"}
        action={
          <span className="flex flex-wrap gap-2">
            <Button asChild size="small">
              <Link href={`/dashboard/orders/${orderId}`}>{t("showOrder")}</Link>
            </Button>
            {canUnlink && orderStatus !== "paid" ? <UnlinkButton transferId={transfer.id} orderId={orderId} /> : null}
          </span>
        }
      >
        {t.rich(status === "dropped" ? "belonged" : "belongs", {
          number: () => <span className="font-medium">{mchOrderId}</span>,
          isAssigned: isAssigned ? "yes" : "no",
        })}
      </Notice>
    );
  if (status === "dropped") return <Notice tone="info">{t("dropped")}</Notice>;
  if (target?.kind === "deposit")
    return (
      <Notice
        tone="good"
        action={
          <Button asChild size="small">
            <Link href={`/dashboard/deposits/${target.id}`}>{t("showDeposit")}</Link>
          </Button>
        }
      >
        {t("deposit", { customer: target.reference })}
      </Notice>
    );
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

interface ChoicesProps {
  transfer: ListedTransfer;
  /** The text to search for in all orders; "" if the user did not search. */
  text: string;
  merchantId: string;
  canAssign: boolean;
}

async function Choices({ transfer, text, merchantId, canAssign }: ChoicesProps) {
  const { pool, now } = getContext();
  const t = await getTranslations("transfer");
  const likely = text
    ? await findNamedOrders(pool.db, merchantId, transfer, text)
    : ((await suggestOrders(pool.db, merchantId, [transfer])).get(transfer.id) ?? []);
  const actionFor = (one: LikelyOrder) =>
    canAssign ? <AssignTo transfer={transfer} likely={one} isLikeliest={!text && one === likely[0]} /> : null;
  return (
    <Card title={t(text ? "found" : "likeliest")} isFlush action={<Find text={text} />}>
      {likely.length > 0 ? (
        <LikelyOrderList likely={likely} now={now()} actionFor={actionFor} />
      ) : (
        <p className="px-4 pb-4 text-ink-soft sm:px-5">{t(text ? "noneNamed" : "noneLooks")}</p>
      )}
    </Card>
  );
}

/** Renders the search form. It works without JavaScript, because the text is sent as the query of this page. */
function Find({ text }: { text: string }) {
  const t = useTranslations("transfer");
  return (
    <search className="w-full sm:w-auto">
      <form className="flex gap-2">
        <input
          type="search"
          name="q"
          aria-label={t("findAnother")}
          placeholder={t("findPlaceholder")}
          defaultValue={text}
          className={`${FILTER_CONTROL} min-w-0 flex-1 sm:w-60`}
        />
        <Button type="submit" size="icon" aria-label={t("find")} className="size-9!">
          <Search aria-hidden />
        </Button>
      </form>
    </search>
  );
}
