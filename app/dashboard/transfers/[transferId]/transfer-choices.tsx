import { Search } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { RefundButton } from "@/app/dashboard/refunds/refund-button";
import { AcknowledgeButton } from "@/app/dashboard/transfers/acknowledge-button";
import { AssignTo } from "@/app/dashboard/transfers/assign-to";
import { RefundForm } from "@/app/dashboard/transfers/refund-form";
import { UnlinkButton } from "@/app/dashboard/transfers/unlink-button";
import { ActionArea, type AreaItem } from "@/components/dashboard/frame/action-area";
import { FILTER_CONTROL } from "@/components/dashboard/frame/filter-pick";
import { LikelyOrderList } from "@/components/dashboard/transfers/likely-order-list";
import type { TransferRow } from "@/components/dashboard/transfers/table";
import type { Translate } from "@/components/messages/translate";
import { Button } from "@/components/ui/button";
import { displayMicro } from "@/lib/domain/money";
import { listTransferActions, type TransferAction } from "@/lib/domain/next-actions/transfer-actions";
import type { LikelyOrder } from "@/lib/domain/orders/likely-orders";
import type { OrderStatus } from "@/lib/domain/orders/order";
import { findNamedOrders, suggestOrders } from "@/lib/ledger/suggest-orders";
import type { RefundsOfSubject } from "@/lib/refunds/refundable";

interface TransferChoicesProps {
  transfer: TransferRow & {
    blockTime: Date;
    meantOrderId: string | null;
    orderStatus: OrderStatus | null;
    lostAcknowledgedAt: Date | null;
  };
  merchantId: string;
  /** The text to search for in all orders; "" if the user did not search. */
  text: string;
  /** The refunds of an unmatched transfer; null for another transfer. */
  refunds: RefundsOfSubject | null;
  /** True if the user may change the transfer. */
  canChange: boolean;
}

/** The actions that read-only users see, because they change nothing. */
const READING: ReadonlySet<TransferAction> = new Set(["wait", "assign", "findOrder", "showOrder", "showDeposit"]);

/** Renders the actions that make sense for a transfer now, each with its reason. */
export function TransferChoices(props: TransferChoicesProps) {
  const t = useTranslations("actions");
  const { transfer, refunds, canChange } = props;
  const refundable = refunds?.refundable ?? null;
  const actions = listTransferActions({
    status: transfer.status,
    isUnmatched: transfer.orderId === null && transfer.unmatchedReason !== null,
    isLookAlike: transfer.currency === null,
    orderStatus: transfer.orderId === null ? null : transfer.orderStatus,
    isDeposit: transfer.target?.kind === "deposit",
    isLost: transfer.lostAt !== null && transfer.lostAcknowledgedAt === null,
    isRefundable: refundable !== null && refundable.leftMicro > 0n,
    hasUnrefunded: transfer.refundedUnits < transfer.baseUnits,
  });
  const shown = canChange ? actions : actions.filter((action) => READING.has(action));
  return (
    <ActionArea
      items={shown.map((action) => ({ key: action, title: t(action), ...contentOf(action, props, t) }))}
      empty={t(canChange ? "nothing" : "viewer")}
    />
  );
}

function contentOf(
  action: TransferAction,
  props: TransferChoicesProps,
  t: Translate<"actions">,
): Omit<AreaItem, "key" | "title"> {
  const { transfer, refunds } = props;
  switch (action) {
    case "acknowledge":
      return { text: t("acknowledgeText"), action: <AcknowledgeButton transferId={transfer.id} /> };
    case "wait":
      return { text: t("waitText") };
    case "assign":
      return { text: t("assignText"), more: <Choices {...props} /> };
    case "findOrder":
      return { text: t("findOrderText"), more: <Choices {...props} /> };
    case "showOrder":
      return { text: t("showOrderText"), action: <ShowTarget href={`/dashboard/orders/${transfer.orderId}`} /> };
    case "showDeposit":
      return {
        text: t("showDepositText", { customer: transfer.target?.reference ?? "" }),
        action: <ShowTarget href={`/dashboard/deposits/${transfer.target?.id}`} isDeposit />,
      };
    case "refundTransfer":
      return refundContent(transfer.id, refunds, t);
    case "record":
      return { text: t("recordText"), more: <RefundForm transferId={transfer.id} /> };
    case "unlink":
      return {
        text: t("unlinkText"),
        action: <UnlinkButton transferId={transfer.id} orderId={transfer.orderId ?? ""} />,
      };
  }
}

function refundContent(transferId: string, refunds: RefundsOfSubject | null, t: Translate<"actions">) {
  if (!refunds?.refundable) return { text: "" };
  const { refundable, needsEmail } = refunds;
  const left = `${displayMicro(refundable.leftMicro)} ${refundable.funds.currency}`;
  const subject = { orderId: null, transferId };
  return {
    text: t("refundText", { left }),
    action: <RefundButton subject={subject} refundable={refundable} needsEmail={needsEmail} />,
  };
}

function ShowTarget({ href, isDeposit = false }: { href: string; isDeposit?: boolean }) {
  const t = useTranslations("transfer");
  return (
    <Button asChild size="small">
      <Link href={href}>{t(isDeposit ? "showDeposit" : "showOrder")}</Link>
    </Button>
  );
}

async function Choices({ transfer, text, merchantId, canChange }: TransferChoicesProps) {
  const { pool, now } = getContext();
  const t = await getTranslations("transfer");
  const likely = text
    ? await findNamedOrders(pool.db, merchantId, transfer, text)
    : ((await suggestOrders(pool.db, merchantId, [transfer])).get(transfer.id) ?? []);
  const actionFor = (one: LikelyOrder) =>
    canChange ? <AssignTo transfer={transfer} likely={one} isLikeliest={!text && one === likely[0]} /> : null;
  return (
    <section className="grid gap-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h4 className="font-medium text-[0.8125rem]">{t(text ? "found" : "likeliest")}</h4>
        <Find text={text} />
      </div>
      {likely.length > 0 ? (
        <div className="overflow-clip rounded-lg border border-line *:border-t-0">
          <LikelyOrderList likely={likely} now={now()} actionFor={actionFor} />
        </div>
      ) : (
        <p className="text-ink-soft">{t(text ? "noneNamed" : "noneLooks")}</p>
      )}
    </section>
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
