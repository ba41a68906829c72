import Link from "next/link";
import { useTranslations } from "next-intl";
import { Amount } from "@/components/dashboard/frame/amount";
import { CallbackStateBadge, OrderState } from "@/components/dashboard/frame/states";
import { Identifier } from "@/components/ui/identifier";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { checkoutText } from "@/lib/domain/checkout/choice";
import { getNetwork } from "@/lib/domain/networks";
import type { CheckoutTerms, OrderException, OrderStatus } from "@/lib/domain/orders/order";

export interface OrderRow {
  id: string;
  mchOrderId: string;
  checkout: CheckoutTerms | null;
  network: string | null;
  currency: string | null;
  baseUnits: bigint | null;
  status: OrderStatus;
  exception: OrderException | null;
  createdAt: Date;
  callback: "pending" | "delivered" | "failed" | null;
}

/** Orders, one a row. */
export function OrderTable({ orders, now }: { orders: readonly OrderRow[]; now: Date }) {
  const t = useTranslations("orders");
  const head = [
    { text: t("order") },
    { text: t("amount"), isRight: true },
    { text: t("status"), className: "hidden sm:table-cell" },
    { text: t("callback"), className: "hidden md:table-cell" },
    { text: t("created"), isRight: true, className: "hidden sm:table-cell" },
  ];
  return (
    <Table caption={t("title")} head={head}>
      {orders.map((order) => (
        <tr key={order.id} className="hover:bg-sunken/50">
          <Cell className="max-w-44 sm:max-w-64">
            <Link
              href={`/dashboard/orders/${order.id}`}
              className="block truncate font-medium leading-6 hover:underline"
              title={order.mchOrderId}
            >
              {order.mchOrderId}
            </Link>
            <span className="hidden text-ink-soft sm:block">
              <Identifier text={order.id} what={t("orderId")} isShort />
            </span>
            <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-soft text-xs sm:hidden">
              <OrderState status={order.status} exception={order.exception} />
              <Time at={order.createdAt.toISOString()} now={now.toISOString()} />
            </span>
          </Cell>
          <Cell isRight>
            <Asked order={order} />
          </Cell>
          <Cell className="hidden sm:table-cell">
            <OrderState status={order.status} exception={order.exception} />
          </Cell>
          <Cell className="hidden md:table-cell">
            {order.callback ? <CallbackStateBadge status={order.callback} /> : <span className="text-ink-soft">–</span>}
          </Cell>
          <Cell isRight className="hidden text-ink-soft sm:table-cell">
            <Time at={order.createdAt.toISOString()} now={now.toISOString()} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

/** What the payer is asked for; what the merchant asked for while the payer has not chosen how to pay it. */
function Asked({ order: { network, currency, baseUnits, checkout } }: { order: OrderRow }) {
  const t = useTranslations("orders");
  if (network === null || currency === null || baseUnits === null) {
    return (
      <>
        {checkout ? checkoutText(checkout) : "–"}
        <span className="block text-ink-soft text-xs">{t("notChosen")}</span>
      </>
    );
  }
  return (
    <>
      <Amount units={baseUnits} network={network} currency={currency} isBare />
      <span className="block text-ink-soft text-xs">{getNetwork(network).name}</span>
    </>
  );
}
