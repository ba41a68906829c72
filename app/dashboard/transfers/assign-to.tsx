import { AssignButton } from "@/app/dashboard/transfers/assign-button";
import { amountText } from "@/components/dashboard/amount";
import { exchangeText, outcomeText } from "@/components/dashboard/likely-words";
import type { LikelyOrder } from "@/lib/domain/likely-orders";
import { getNetwork } from "@/lib/domain/networks";
import type { TransferStatus } from "@/lib/domain/transfer";

interface AssignToProps {
  transfer: { id: string; network: string; currency: string; baseUnits: bigint; status: TransferStatus };
  likely: LikelyOrder;
  isLikeliest: boolean;
}

/** The button that gives a transfer to one order; none for an order that takes no payment any more. */
export function AssignTo({ transfer, likely, isLikeliest }: AssignToProps) {
  const { order } = likely;
  if (order.status === "cancelled") return <span className="text-ink-soft text-xs">Takes no payment</span>;
  const money = (units: bigint, { network, currency }: { network: string; currency: string }) =>
    `${amountText(units, network, currency)} ${currency}, ${getNetwork(network).name}`;
  return (
    <AssignButton
      transferId={transfer.id}
      orderId={order.id}
      number={order.mchOrderId}
      arrived={money(transfer.baseUnits, transfer)}
      asked={money(order.dueUnits, order)}
      outcome={outcomeText(likely, transfer.status)}
      warning={exchangeText(transfer, order)}
      isLikeliest={isLikeliest}
    />
  );
}
