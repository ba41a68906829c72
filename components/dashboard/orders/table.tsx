import Link from "next/link";
import { useTranslations } from "next-intl";
import { Amount } from "@/components/dashboard/frame/amount";
import { CallbackStateBadge, OrderState } from "@/components/dashboard/frame/states";
import { cn } from "@/components/ui/class-names";
import { Identifier } from "@/components/ui/identifier";
import { Cell, rowLook, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { displayAddress } from "@/lib/domain/addresses/address";
import { checkoutText } from "@/lib/domain/checkout/choice";
import { getNetwork } from "@/lib/domain/networks";
import type { CheckoutTerms, OrderException, OrderPrice, OrderStatus } from "@/lib/domain/orders/order";
import { priceText } from "@/lib/domain/rates/currencies";

export interface OrderRow {
  id: string;
  mchOrderId: string;
  checkout: CheckoutTerms | null;
  network: string | null;
  currency: string | null;
  baseUnits: bigint | null;
  paidUnits: bigint;
  price: OrderPrice | null;
  /** The sender of the transfer that settled the order. */
  fromAddress: string | null;
  paidAt: Date | null;
  status: OrderStatus;
  exception: OrderException | null;
  createdAt: Date;
  callback: "pending" | "delivered" | "failed" | null;
  /** The number of attempts since the callback was last resent; null without a callback. */
  callbackAttempts: number | null;
}

const WIDE_ONLY = "hidden xl:table-cell";

interface OrderTableProps {
  orders: readonly OrderRow[];
  now: Date;
  /** True if the table also shows the price, the received amount and the sender, provided the screen has room. */
  isWide?: boolean;
  /** The ids of rows that no longer match the list's filter. */
  gone?: ReadonlySet<string>;
}

/** Renders orders, one per row. */
export function OrderTable({ orders, now, isWide = false, gone }: OrderTableProps) {
  const t = useTranslations("orders");
  const live = useTranslations("live");
  const wide = [
    { text: t("price"), isRight: true, className: WIDE_ONLY },
    { text: t("received"), isRight: true, className: WIDE_ONLY },
  ];
  const head = [
    { text: t("order") },
    { text: t("amount"), isRight: true },
    ...(isWide ? wide : []),
    { text: t("status"), className: "hidden sm:table-cell" },
    { text: t("callback"), className: "hidden md:table-cell" },
    { text: t("created"), isRight: true, className: "hidden sm:table-cell" },
  ];
  return (
    <Table caption={t("title")} head={head}>
      {orders.map((order) => (
        <tr key={order.id} {...rowLook(gone?.has(order.id), live("gone"))}>
          <Cell className={cn("max-w-44", isWide ? "sm:max-w-64" : "sm:max-w-48")}>
            <Link
              href={`/dashboard/orders/${order.id}`}
              className="block truncate font-medium leading-6 hover:underline"
              title={order.mchOrderId}
            >
              {order.mchOrderId}
            </Link>
            <span className="block text-ink-soft">
              <Identifier text={order.id} what={t("orderId")} isShort />
            </span>
          </Cell>
          <Cell isRight>
            <Asked order={order} />
          </Cell>
          {isWide ? <Received order={order} /> : null}
          <Cell className="hidden sm:table-cell">
            <OrderState status={order.status} exception={order.exception} />
          </Cell>
          <Cell className="hidden md:table-cell" isEmpty={order.callback === null}>
            {order.callback ? (
              <CallbackStateBadge status={order.callback} seriesAttempts={order.callbackAttempts ?? 0} />
            ) : (
              <span className="text-ink-soft">–</span>
            )}
          </Cell>
          <Cell isRight className="hidden text-ink-soft sm:table-cell">
            <Time at={order.createdAt.toISOString()} now={now.toISOString()} />
            {isWide && order.paidAt ? (
              <span className="block text-xs sm:max-xl:hidden">
                {t("paidAt")} <Time at={order.paidAt.toISOString()} now={now.toISOString()} />
              </span>
            ) : null}
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

/** Renders the amount to pay, or the merchant's amount until the payer has chosen a payment method. */
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

/** Renders two cells: the fiat price with its rate, and the received amount with its sender. */
function Received({ order: { price, paidUnits, network, currency, fromAddress } }: { order: OrderRow }) {
  const t = useTranslations("orders");
  return (
    <>
      <Cell isRight className={WIDE_ONLY} isEmpty={price === null}>
        {price ? (
          <>
            {priceText(price)}
            <span className="block text-ink-soft text-xs">{t("atRate", { rate: price.rate })}</span>
          </>
        ) : (
          <span className="text-ink-soft">–</span>
        )}
      </Cell>
      <Cell isRight className={WIDE_ONLY} isEmpty={paidUnits === 0n}>
        {paidUnits > 0n && network && currency ? (
          <Amount units={paidUnits} network={network} currency={currency} isBare />
        ) : (
          <span className="text-ink-soft">–</span>
        )}
        {fromAddress && network ? (
          <span className="block text-ink-soft text-xs">
            {t("from")}{" "}
            <Identifier text={displayAddress(getNetwork(network).family, fromAddress)} what={t("sender")} isShort />
          </span>
        ) : null}
      </Cell>
    </>
  );
}
