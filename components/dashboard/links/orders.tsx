import Link from "next/link";
import { useTranslations } from "next-intl";
import { Amount } from "@/components/dashboard/frame/amount";
import { OrderState } from "@/components/dashboard/frame/states";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { checkoutText } from "@/lib/domain/checkout/choice";
import type { CheckoutTerms, OrderException, OrderStatus } from "@/lib/domain/orders/order";

/** An order of a link. Amounts are in base units of the token; they are null until the payer chooses. */
interface OrderOfLink {
  id: string;
  mchOrderId: string;
  status: OrderStatus;
  exception: OrderException | null;
  checkout: CheckoutTerms | null;
  network: string | null;
  currency: string | null;
  baseUnits: bigint | null;
  createdAt: Date;
  note: string | null;
}

/** Renders the orders of a payment link, one per row. */
export function LinkOrders({ orders, now }: { orders: readonly OrderOfLink[]; now: Date }) {
  const t = useTranslations("linkPages");
  const head = [
    { text: t("order") },
    { text: t("amount"), isRight: true },
    { text: t("status"), className: "hidden sm:table-cell" },
    { text: t("created"), isRight: true, className: "hidden sm:table-cell" },
  ];
  return (
    <Table caption={t("orders")} head={head}>
      {orders.map((order) => (
        <tr key={order.id} className="hover:bg-sunken/50">
          <Cell className="max-w-44 sm:max-w-64">
            <Link href={`/dashboard/orders/${order.id}`} className="block truncate font-medium hover:underline">
              {order.mchOrderId}
            </Link>
            {order.note === null ? null : <span className="block break-words text-ink-soft text-xs">{order.note}</span>}
            <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-soft text-xs sm:hidden">
              <OrderState status={order.status} exception={order.exception} />
              <Time at={order.createdAt.toISOString()} now={now.toISOString()} />
            </span>
          </Cell>
          <Cell isRight>
            {order.network !== null && order.currency !== null && order.baseUnits !== null ? (
              <Amount units={order.baseUnits} network={order.network} currency={order.currency} isBare />
            ) : order.checkout ? (
              checkoutText(order.checkout)
            ) : (
              "–"
            )}
          </Cell>
          <Cell className="hidden sm:table-cell">
            <OrderState status={order.status} exception={order.exception} />
          </Cell>
          <Cell isRight className="hidden text-ink-soft sm:table-cell">
            <Time at={order.createdAt.toISOString()} now={now.toISOString()} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
