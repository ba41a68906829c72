import { useTranslations } from "next-intl";
import { AssignButton } from "@/app/dashboard/transfers/assign-button";
import { amountText, transferText } from "@/components/dashboard/frame/amount";
import { exchangeText } from "@/components/dashboard/transfers/likely-text";
import { getNetwork } from "@/lib/domain/networks";
import type { LikelyOrder } from "@/lib/domain/orders/likely-orders";
import type { TokenRef, TransferStatus } from "@/lib/domain/transfers/transfer";

interface AssignToProps {
  transfer: TokenRef & { id: string; baseUnits: bigint; status: TransferStatus };
  likely: LikelyOrder;
  isLikeliest: boolean;
}

/** Renders the button that assigns a transfer to one order. Renders nothing if the transfer cannot be credited to an order. */
export function AssignTo({ transfer, likely, isLikeliest }: AssignToProps) {
  const t = useTranslations("likely");
  const { order } = likely;
  if (transfer.currency === null) return null;
  const on = (amount: string, network: string) => `${amount}, ${getNetwork(network).name}`;
  const due = `${amountText(order.dueUnits, order.network, order.currency)} ${order.currency}`;
  return (
    <AssignButton
      transferId={transfer.id}
      orderId={order.id}
      number={order.mchOrderId}
      arrived={on(transferText(transfer), transfer.network)}
      asked={on(due, order.network)}
      warning={exchangeText(transfer, order, t)}
      isLikeliest={isLikeliest}
    />
  );
}
