import Link from "next/link";
import { useTranslations } from "next-intl";
import { Cancel, MarkPaid } from "@/app/dashboard/orders/[tradeId]/order-actions";
import { ResendButton } from "@/app/dashboard/orders/[tradeId]/resend-button";
import { RefundButton } from "@/app/dashboard/refunds/refund-button";
import { ActionArea, type AreaItem } from "@/components/dashboard/frame/action-area";
import {
  itemsOfClaims,
  itemsOfMisdirected,
  listOpenClaims,
  type MisdirectedTransfer,
  type OrderClaim,
} from "@/components/dashboard/order/open-questions";
import type { Translate } from "@/components/messages/translate";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { CREATE_LINK_PATH } from "@/lib/domain/back-office-paths";
import { displayMicro } from "@/lib/domain/money";
import { listOrderActions, type OrderAction } from "@/lib/domain/next-actions/order-actions";
import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";
import type { Contradiction } from "@/lib/domain/transfers/transfer";
import { excessMicro, type Refundable, type RefundsOfSubject } from "@/lib/refunds/refundable";

interface OrderChoicesProps {
  order: {
    id: string;
    status: OrderStatus;
    exception: OrderException | null;
    paidUnits: bigint;
    notifyUrl: string | null;
  };
  /** The amount that has arrived for the order, formatted; null if none has. */
  arrived: string | null;
  paymentUrl: string;
  transfers: readonly { status: string; contradiction: Contradiction | null }[];
  misdirected: readonly MisdirectedTransfer[];
  claims: readonly OrderClaim[];
  callbacks: readonly { id: string; status: "pending" | "delivered" | "failed" }[];
  refunds: RefundsOfSubject;
  /** True if the user may change the order. */
  canChange: boolean;
  now: Date;
}

/** The actions that read-only users see, because they change nothing. */
const READING: ReadonlySet<OrderAction> = new Set(["decideTransfer", "checkClaim", "wait"]);

/** Renders the actions that make sense for an order now, each with its reason. */
export function OrderChoices(props: OrderChoicesProps) {
  const t = useTranslations("actions");
  const { order, transfers, misdirected, claims, callbacks, refunds, canChange } = props;
  const { refundable } = refunds;
  const actions = listOrderActions({
    status: order.status,
    exception: order.exception,
    hasFunds: order.paidUnits > 0n,
    hasMisdirected: misdirected.length > 0,
    hasOpenClaim: listOpenClaims(claims, order.id).length > 0,
    isDisputed: transfers.some(({ status, contradiction }) => status === "seen" && contradiction !== null),
    hasFailedCallback: callbacks.some(({ status }) => status === "failed"),
    isRefundable: refundable !== null && refundable.leftMicro > 0n,
    hasExcess: order.exception === "overpaid" && refundable !== null && excessMicro(refundable) > 0n,
  });
  const shown = canChange ? actions : actions.filter((action) => READING.has(action));
  return (
    <ActionArea
      items={shown.flatMap((action) => itemsOf(action, props, t))}
      empty={t(canChange ? "nothing" : "viewer")}
    />
  );
}

type Text = Translate<"actions">;

function itemsOf(action: OrderAction, props: OrderChoicesProps, t: Text): AreaItem[] {
  const { order, misdirected, claims, callbacks, now } = props;
  if (action === "decideTransfer") return itemsOfMisdirected(misdirected, t("decideTransfer"));
  if (action === "checkClaim") return itemsOfClaims(listOpenClaims(claims, order.id), t("checkClaim"), now);
  if (action === "resendCallback") {
    const failed = callbacks.filter(({ status }) => status === "failed");
    return failed.map(({ id }) => ({
      key: id,
      title: t("resendCallback"),
      text: t("resendCallbackText"),
      action: <ResendButton callbackId={id} />,
    }));
  }
  if (action === "refund" || action === "refundExcess") return refundItems(action, props, t);
  return [{ key: action, title: t(action), ...contentOf(action, props, t) }];
}

function refundItems(action: "refund" | "refundExcess", props: OrderChoicesProps, t: Text): AreaItem[] {
  const { refundable, needsEmail } = props.refunds;
  if (refundable === null) return [];
  const isExcess = action === "refundExcess";
  const subject = { orderId: props.order.id, transferId: null };
  return [
    {
      key: action,
      title: t(action),
      text: isExcess ? t("refundExcessText") : t("refundText", { left: leftText(refundable) }),
      action: <RefundButton subject={subject} refundable={refundable} needsEmail={needsEmail} isExcess={isExcess} />,
    },
  ];
}

function leftText({ leftMicro, funds }: Refundable): string {
  return `${displayMicro(leftMicro)} ${funds.currency}`;
}

type PlainAction = Exclude<OrderAction, "decideTransfer" | "checkClaim" | "resendCallback" | "refund" | "refundExcess">;

function contentOf(action: PlainAction, props: OrderChoicesProps, t: Text): Pick<AreaItem, "text" | "action"> {
  const { order, arrived, paymentUrl } = props;
  const markPaid = <MarkPaid orderId={order.id} hasCallback={order.notifyUrl !== null} />;
  switch (action) {
    case "wait":
      return { text: t("waitText") };
    case "sendLink":
      return { text: t("sendLinkText"), action: <CopyButton text={paymentUrl} what={t("linkWhat")} isWide /> };
    case "acceptFunds":
      return { text: t(arrived === null ? "acceptDisputedText" : "acceptFundsText"), action: markPaid };
    case "acceptEarly":
      return { text: t("acceptEarlyText"), action: markPaid };
    case "markPaid":
      return { text: t("markPaidText"), action: markPaid };
    case "createOrder":
      return { text: t("createOrderText"), action: <NewLink text={t("newLink")} /> };
    case "cancel":
      return { text: t("cancelText"), action: <Cancel orderId={order.id} arrived={arrived} /> };
  }
}

function NewLink({ text }: { text: string }) {
  return (
    <Button asChild size="small">
      <Link href={CREATE_LINK_PATH}>{text}</Link>
    </Button>
  );
}
