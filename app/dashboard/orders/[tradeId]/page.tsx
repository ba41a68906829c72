import { notFound } from "next/navigation";
import { useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import type { ComponentProps } from "react";
import { getContext } from "@/app/context";
import { describeAttempts } from "@/app/dashboard/callbacks/describe-attempts";
import { OrderChoices } from "@/app/dashboard/orders/[tradeId]/order-choices";
import { ResendButton } from "@/app/dashboard/orders/[tradeId]/resend-button";
import { UnlinkButton } from "@/app/dashboard/transfers/unlink-button";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { amountText } from "@/components/dashboard/frame/amount";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { OrderState } from "@/components/dashboard/frame/states";
import { type CallbackFacts, CallbackPanel } from "@/components/dashboard/order/callback-panel";
import { OrderFacts, OrderSums } from "@/components/dashboard/order/facts";
import { orderTimeline } from "@/components/dashboard/order/order-timeline";
import { Timeline } from "@/components/dashboard/order/timeline";
import { orderProgress, reportedCallback } from "@/components/dashboard/progress/order-progress";
import { Progress } from "@/components/dashboard/progress/progress";
import { OrderRefunds } from "@/components/dashboard/refunds/order-refunds";
import { ContradictionNotice } from "@/components/dashboard/transfers/contradiction";
import { TransferTable } from "@/components/dashboard/transfers/table";
import { Card } from "@/components/ui/card";
import { Refresher } from "@/components/ui/refresher";
import type { Db } from "@/db/client";
import { findLinkOfOrder } from "@/db/queries/links/links";
import { listOrderEvents } from "@/db/queries/merchants/audit-events";
import { findOrderPage, listOrderCallbacks } from "@/db/queries/orders/back-office";
import { listOrderClaims } from "@/db/queries/transfers/payment-claims";
import { listMisdirected, listOrderTransfers } from "@/db/queries/transfers/transfer-list";
import { verifiedAddress } from "@/lib/domain/addresses/address";
import { nameOfOrigin } from "@/lib/domain/integrations/integration";
import { mayChange } from "@/lib/domain/keys/role";
import { readRefundsOf } from "@/lib/refunds/refundable";

type OrderPageRow = NonNullable<Awaited<ReturnType<typeof findOrderPage>>>;

export const generateMetadata = pageTitle("order");

const REFRESH_MS = 4_000;
/** The statuses that change without an action of a user. */
const MOVING: ReadonlySet<string> = new Set(["pending", "confirming"]);

export default async function OrderPage({ params }: { params: Promise<{ tradeId: string }> }) {
  const person = await requirePerson();
  const { env, pool, now, orders, integrations } = getContext();
  const [t, history, language] = await Promise.all([getTranslations("order"), getTranslations("history"), getLocale()]);
  const found = await findOrderPage(pool.db, person.merchantId, (await params).tradeId);
  if (!found) notFound();
  const { order, quote, addressMac } = found;
  const hasInvalidMac = quote !== null && verifiedAddress({ ...quote, addressMac }, orders.isVerifiedAddress) === null;
  const read = await readOrder(pool.db, person, order.id);
  const { transfers, misdirected, callbacks, events, link } = read;
  const canChange = mayChange(person.role);
  const isMoving = MOVING.has(order.status) || callbacks.some((one) => one.status === "pending");
  const reported = { createdAt: order.createdAt, events, transfers, deliveredAt: deliveredAtOf(callbacks) };
  const time = now();
  const paymentUrl = `${env.publicUrl}/pay/${order.id}`;
  const attempts = await Promise.all(callbacks.map((one) => describeAttempts(language, one)));
  const unlinking = canChange && order.status !== "paid" ? { actionFor: unlinkFrom(order.id) } : {};
  const table = { transfers, now: time, isSandbox: env.isSandbox, isOfOneOrder: true, ...unlinking };
  return (
    <>
      {isMoving ? <Refresher everyMs={REFRESH_MS} /> : null}
      <OrderHead order={order} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <OrderProgress order={order} quote={quote} transfers={transfers} callbacks={callbacks} now={time} />
          <ContradictionNotice transfers={transfers} />
          <OrderChoices
            {...read}
            order={order}
            arrived={quote && order.paidUnits > 0n ? arrivedText(order.paidUnits, quote) : null}
            paymentUrl={paymentUrl}
            canChange={canChange}
            now={time}
          />
          <OrderSums order={order} quote={quote} />
          <OrderTransfers table={table} hasMisdirected={misdirected.length > 0} />
          <OrderRefunds refunds={read.refunds.refunds} now={time} />
          <CallbackPanels callbacks={attempts} notifyUrl={order.notifyUrl} now={time} canResend={canChange} />
        </div>
        <div className="grid min-w-0 gap-4">
          <Card title={t("details")}>
            <OrderFacts
              order={order}
              quote={quote}
              hasInvalidMac={hasInvalidMac}
              paidOn={quote && paidOn(order, quote, transfers)}
              paymentUrl={paymentUrl}
              link={link}
              integration={nameOfOrigin(integrations, order.integration, language)}
              isSandbox={env.isSandbox}
              now={time}
            />
          </Card>
          <History title={t("history")} entries={orderTimeline(reported, history)} now={time} />
        </div>
      </div>
    </>
  );
}

function deliveredAtOf(callbacks: Awaited<ReturnType<typeof listOrderCallbacks>>): Date | null {
  return callbacks.find(({ type }) => type === "payment.confirmed")?.deliveredAt ?? null;
}

interface OrderProgressProps extends Pick<Parameters<typeof orderProgress>[0], "order" | "quote" | "transfers"> {
  callbacks: Awaited<ReturnType<typeof listOrderCallbacks>>;
  now: Date;
}

function OrderProgress({ callbacks, now, ...facts }: OrderProgressProps) {
  const t = useTranslations("progress");
  const list = useTranslations("transfers");
  const callback = reportedCallback(callbacks);
  return <Progress steps={orderProgress({ ...facts, callback }, { t, list })} now={now} />;
}

function History({ title, ...timeline }: ComponentProps<typeof Timeline> & { title: string }) {
  return (
    <Card title={title}>
      <Timeline {...timeline} />
    </Card>
  );
}

interface OrderTransfersProps {
  table: ComponentProps<typeof TransferTable>;
  hasMisdirected: boolean;
}

async function OrderTransfers({ table, hasMisdirected }: OrderTransfersProps) {
  const t = await getTranslations("order");
  return (
    <Card title={t("transfers")} isFlush>
      {table.transfers.length > 0 ? <TransferTable {...table} /> : <NoTransfers hasMisdirected={hasMisdirected} />}
    </Card>
  );
}

async function readOrder(db: Db, { merchantId }: { merchantId: string }, tradeId: string) {
  const [transfers, misdirected, callbacks, events, claims, link, refunds] = await Promise.all([
    listOrderTransfers(db, merchantId, tradeId),
    listMisdirected(db, merchantId, tradeId),
    listOrderCallbacks(db, merchantId, tradeId),
    listOrderEvents(db, merchantId, tradeId),
    listOrderClaims(db, merchantId, tradeId),
    findLinkOfOrder(db, merchantId, tradeId),
    readRefundsOf(db, merchantId, { orderId: tradeId, transferId: null }),
  ]);
  return { transfers, misdirected, callbacks, events, claims, link, refunds };
}

function arrivedText(units: bigint, { network, currency }: Token): string {
  return `${amountText(units, network, currency)} ${currency}`;
}

function OrderHead({ order }: { order: OrderPageRow["order"] }) {
  const t = useTranslations("order");
  return (
    <PageHead
      back={{ href: "/dashboard/orders", text: t("orders") }}
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="break-all">{order.mchOrderId}</span>
          <span className="font-normal text-sm tracking-normal">
            <OrderState status={order.status} exception={order.exception} />
          </span>
        </span>
      }
    />
  );
}

function NoTransfers({ hasMisdirected }: { hasMisdirected: boolean }) {
  const t = useTranslations("order");
  return <p className="px-4 pb-4 text-ink-soft sm:px-5">{t(hasMisdirected ? "nothingCounts" : "nothing")}</p>;
}

interface CallbackPanelsProps {
  callbacks: readonly CallbackFacts[];
  notifyUrl: string | null;
  now: Date;
  canResend: boolean;
}

/**
 * Renders the callbacks of an order. A failed one is resent with the actions of the order. If there is no payment callback, a panel shows
 * that none was sent.
 */
function CallbackPanels({ callbacks, notifyUrl, now, canResend }: CallbackPanelsProps) {
  const hasPayment = callbacks.some(({ type }) => type === "payment.confirmed");
  return (
    <>
      {callbacks.map((callback) => (
        <CallbackPanel
          key={callback.id}
          callback={callback}
          notifyUrl={notifyUrl}
          now={now}
          resend={canResend && callback.status !== "failed" ? <ResendButton callbackId={callback.id} /> : null}
        />
      ))}
      {hasPayment ? null : <CallbackPanel callback={null} notifyUrl={notifyUrl} now={now} resend={null} />}
    </>
  );
}

function unlinkFrom(orderId: string) {
  return ({ id }: { id: string }) => <UnlinkButton transferId={id} orderId={orderId} />;
}

interface Token {
  network: string;
  currency: string;
}

/** Returns the token of the transfer that settled an order, if it differs from the requested one. */
function paidOn(
  order: { settledByTransferId: string | null },
  quote: Token,
  transfers: readonly { id: string; network: string; currency: string | null }[],
): Token | null {
  const settled = transfers.find(({ id }) => id === order.settledByTransferId);
  if (!settled?.currency) return null;
  const { network, currency } = settled;
  return network === quote.network && currency === quote.currency ? null : { network, currency };
}
