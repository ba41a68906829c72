import { RequestRefund } from "@/app/dashboard/refunds/request-refund";
import { displayMicro, formatMicro } from "@/lib/domain/money";
import type { RefundSubject } from "@/lib/domain/refunds/refund";
import { excessMicro, type Refundable } from "@/lib/refunds/refundable";

interface RefundButtonProps {
  subject: RefundSubject;
  refundable: Refundable;
  needsEmail: boolean;
  /** True to refund the excess of an overpaid order instead of everything that is left. */
  isExcess?: boolean;
}

/** Renders the button that requests a refund of an order or a transfer. */
export function RefundButton({ subject, refundable, needsEmail, isExcess = false }: RefundButtonProps) {
  const { funds, leftMicro } = refundable;
  return (
    <RequestRefund
      subject={subject.orderId === null ? { transferId: subject.transferId } : { orderId: subject.orderId }}
      left={`${displayMicro(leftMicro)} ${funds.currency}`}
      fiat={funds.price?.fiat ?? null}
      needsEmail={needsEmail}
      amount={isExcess ? formatMicro(excessMicro(refundable)) : ""}
      isExcess={isExcess}
    />
  );
}
