import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { OrderActions } from "@/app/dashboard/orders/[tradeId]/order-actions";
import { ResendButton } from "@/app/dashboard/orders/[tradeId]/resend-button";
import { UnlinkButton } from "@/app/dashboard/transfers/unlink-button";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { amountText } from "@/components/dashboard/frame/amount";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { OrderState } from "@/components/dashboard/frame/states";
import { CallbackPanel } from "@/components/dashboard/order/callback-panel";
import { OrderFacts, OrderSums } from "@/components/dashboard/order/facts";
import { OrderMisdirected } from "@/components/dashboard/order/misdirected";
import { orderTimeline } from "@/components/dashboard/order/order-timeline";
import { Timeline } from "@/components/dashboard/order/timeline";
import { ContradictionNotice } from "@/components/dashboard/transfers/contradiction";
import { TransferTable } from "@/components/dashboard/transfers/table";
import { Card } from "@/components/ui/card";
import { Refresher } from "@/components/ui/refresher";
import { listOrderEvents } from "@/db/queries/merchants/audit-events";
import { findOrderPage, listOrderCallbacks } from "@/db/queries/orders/back-office";
import { listMisdirected, listOrderTransfers } from "@/db/queries/transfers/transfer-list";
import { genuineAddress } from "@/lib/domain/addresses/address";
import { mayChange } from "@/lib/domain/keys/role";

export const generateMetadata = pageTitle("order");

const REFRESH_MS = 4_000;

export default async function OrderPage({ params }: { params: Promise<{ tradeId: string }> }) {
  const person = await requirePerson();
  const { env, pool, now, orders } = getContext();
  const [t, history] = await Promise.all([getTranslations("order"), getTranslations("history")]);
  const { tradeId } = await params;
  const found = await findOrderPage(pool.db, person.merchantId, tradeId);
  if (!found) notFound();
  const { order, quote, seal } = found;
  const isTampered = quote !== null && genuineAddress({ ...quote, seal }, orders.isGenuineAddress) === null;
  const [transfers, misdirected, callbacks, events] = await Promise.all([
    listOrderTransfers(pool.db, person.merchantId, tradeId),
    listMisdirected(pool.db, person.merchantId, tradeId),
    listOrderCallbacks(pool.db, person.merchantId, tradeId),
    listOrderEvents(pool.db, person.merchantId, tradeId),
  ]);
  const isMoving =
    ["pending", "confirming"].includes(order.status) || callbacks.some((one) => one.status === "pending");
  const payment = callbacks.find(({ type }) => type === "payment.confirmed");
  const told = { createdAt: order.createdAt, events, transfers, deliveredAt: payment?.deliveredAt ?? null };
  const time = now();
  const arrived =
    quote && order.paidUnits > 0n
      ? `${amountText(order.paidUnits, quote.network, quote.currency)} ${quote.currency}`
      : null;
  return (
    <>
      {isMoving ? <Refresher everyMs={REFRESH_MS} /> : null}
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
        action={
          order.status !== "paid" && mayChange(person.role) ? (
            <OrderActions
              orderId={order.id}
              canCancel={order.status === "pending"}
              arrived={arrived}
              hasCallback={order.notifyUrl !== null}
            />
          ) : null
        }
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <ContradictionNotice transfers={transfers} />
          <OrderMisdirected misdirected={misdirected} />
          <OrderSums order={order} quote={quote} />
          <Card title={t("transfers")} isFlush>
            {transfers.length > 0 ? (
              <TransferTable
                transfers={transfers}
                now={time}
                isSandbox={env.isSandbox}
                isOfOneOrder
                {...(order.status !== "paid" && mayChange(person.role) && { actionFor: unlinkFrom(order.id) })}
              />
            ) : (
              <p className="px-4 pb-4 text-ink-soft sm:px-5">
                {t(misdirected.length > 0 ? "nothingCounts" : "nothing")}
              </p>
            )}
          </Card>
          {callbacks.map((callback) => (
            <CallbackPanel
              key={callback.id}
              callback={callback}
              notifyUrl={order.notifyUrl}
              now={time}
              resend={mayChange(person.role) ? <ResendButton callbackId={callback.id} /> : null}
            />
          ))}
          {payment ? null : <CallbackPanel callback={null} notifyUrl={order.notifyUrl} now={time} resend={null} />}
        </div>
        <div className="grid min-w-0 gap-4">
          <Card title={t("details")}>
            <OrderFacts
              order={order}
              quote={quote}
              isTampered={isTampered}
              paidOn={quote && paidOn(order, quote, transfers)}
              paymentUrl={`${env.publicUrl}/pay/${order.id}`}
              isSandbox={env.isSandbox}
              now={time}
            />
          </Card>
          <Card title={t("history")}>
            <Timeline entries={orderTimeline(told, history)} now={time} />
          </Card>
        </div>
      </div>
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

/** The token of the transfer that settled an order, where it is not the one asked for. */
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
