import { Search } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { useTranslations } from "next-intl";
import { getContext } from "@/app/context";
import { AcknowledgeButton } from "@/app/dashboard/transfers/acknowledge-button";
import { AssignTo } from "@/app/dashboard/transfers/assign-to";
import { requirePerson } from "@/app/session";
import { transferText } from "@/components/dashboard/frame/amount";
import { FILTER_CONTROL } from "@/components/dashboard/frame/filter-pick";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { TransferState } from "@/components/dashboard/frame/states";
import { ContradictionNotice } from "@/components/dashboard/transfers/contradiction";
import { TransferFacts } from "@/components/dashboard/transfers/facts";
import { LikelyOrderList } from "@/components/dashboard/transfers/likely-order-list";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { Refresher } from "@/components/ui/refresher";
import { findTransfer, type ListedTransfer } from "@/db/queries/transfers/transfer-list";
import { mayChange } from "@/lib/domain/keys/role";
import type { SearchParams } from "@/lib/domain/list-place";
import type { LikelyOrder } from "@/lib/domain/orders/likely-orders";
import { parseTransferFilter } from "@/lib/domain/transfers/filter";
import { isLookAlike, LOOK_ALIKE_ADVICE, tokenOf } from "@/lib/domain/transfers/transfer";
import { findNamedOrders, suggestOrders } from "@/lib/ledger/suggest-orders";

export const metadata: Metadata = { title: "Transfer" };

const REFRESH_MS = 4_000;

interface Props {
  params: Promise<{ transferId: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function TransferPage({ params, searchParams }: Props) {
  const person = await requirePerson();
  const { env, pool, now } = getContext();
  const { transferId } = await params;
  const transfer = await findTransfer(pool.db, person.merchantId, transferId);
  if (!transfer) notFound();
  const { text = "" } = parseTransferFilter(await searchParams);
  return (
    <>
      {transfer.status === "seen" ? <Refresher everyMs={REFRESH_MS} /> : null}
      <PageHead
        back={{ href: "/dashboard/transfers", text: "Transfers" }}
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
          <Fate transfer={transfer} />
          {isLoose(transfer) ? (
            <Choices
              transfer={transfer}
              text={text}
              merchantId={person.merchantId}
              canAssign={mayChange(person.role)}
            />
          ) : null}
        </div>
        <Card title="Details">
          <TransferFacts transfer={transfer} now={now()} isSandbox={env.isSandbox} />
        </Card>
      </div>
    </>
  );
}

function isLoose({ orderId, unmatchedReason, status }: ListedTransfer): boolean {
  return orderId === null && unmatchedReason !== null && status !== "dropped";
}

function Lost({ transfer, canAcknowledge }: { transfer: ListedTransfer; canAcknowledge: boolean }) {
  const isOpen = transfer.lostAcknowledgedAt === null;
  return (
    <Notice tone="bad" action={isOpen && canAcknowledge ? <AcknowledgeButton transferId={transfer.id} /> : null}>
      This transfer was confirmed, and then the chain took it back in a reorganisation. Its order stays as it is. Look
      the transaction up in an explorer: if it is included again, it is found by itself and this notice goes. If it is
      gone, you do not have the money: hold the delivery or ask your customer to pay again.
      {isOpen ? "" : " Somebody of your shop acknowledged this."}
    </Notice>
  );
}

function Fate({ transfer }: { transfer: ListedTransfer }) {
  const state = useTranslations("states");
  const { orderId, mchOrderId, isAssigned, unmatchedReason, status } = transfer;
  if (orderId)
    return (
      <Notice
        tone={status === "dropped" ? "warn" : "good"}
        action={
          <Button asChild size="small">
            <Link href={`/dashboard/orders/${orderId}`}>Show order</Link>
          </Button>
        }
      >
        {status === "dropped" ? "The chain took it back; it belonged to order " : "It belongs to order "}
        <span className="font-medium">{mchOrderId}</span>
        {isAssigned ? ", assigned by hand" : ""}.
      </Notice>
    );
  if (status === "dropped") return <Notice tone="info">The chain took this transfer back: it is not yours.</Notice>;
  const token = tokenOf(transfer);
  if (unmatchedReason && isLookAlike(token))
    return (
      <Notice tone="warn">
        This is <strong>{token.name}</strong>, which wallets show as {token.symbol}. {token.why} {LOOK_ALIKE_ADVICE}
      </Notice>
    );
  if (unmatchedReason)
    return <Notice tone="warn">It pays no order yet: {lowerFirst(state(`reason.${unmatchedReason}`))}.</Notice>;
  return <Notice tone="info">It is being matched.</Notice>;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

interface ChoicesProps {
  transfer: ListedTransfer;
  /** What a person looks for among all orders. */
  text: string;
  merchantId: string;
  canAssign: boolean;
}

async function Choices({ transfer, text, merchantId, canAssign }: ChoicesProps) {
  const { pool, now } = getContext();
  const likely = text
    ? await findNamedOrders(pool.db, merchantId, transfer, text)
    : ((await suggestOrders(pool.db, merchantId, [transfer])).get(transfer.id) ?? []);
  const actionFor = (one: LikelyOrder) =>
    canAssign ? <AssignTo transfer={transfer} likely={one} isLikeliest={!text && one === likely[0]} /> : null;
  return (
    <Card title={text ? "Orders found" : "Likeliest orders"} isFlush action={<Find text={text} />}>
      {likely.length > 0 ? (
        <LikelyOrderList likely={likely} now={now()} actionFor={actionFor} />
      ) : (
        <p className="px-4 pb-4 text-ink-soft sm:px-5">
          {text
            ? "No order has this id or number."
            : "No order of the week before looks like it. Find the one it was meant for by its number."}
        </p>
      )}
    </Card>
  );
}

/** Works without script: the text is sent as the query of this page. */
function Find({ text }: { text: string }) {
  return (
    <search className="w-full sm:w-auto">
      <form className="flex gap-2">
        <input
          type="search"
          name="q"
          aria-label="Find another order"
          placeholder="Another order's number or id"
          defaultValue={text}
          className={`${FILTER_CONTROL} min-w-0 flex-1 sm:w-60`}
        />
        <Button type="submit" size="icon" aria-label="Find" className="size-9!">
          <Search aria-hidden />
        </Button>
      </form>
    </search>
  );
}
