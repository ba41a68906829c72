import { getContext } from "@/app/context";
import { RequestRefund } from "@/app/dashboard/refunds/request-refund";
import { OrderRefunds } from "@/components/dashboard/refunds/order-refunds";
import { mayChange } from "@/lib/domain/keys/role";
import type { OrderException } from "@/lib/domain/orders/order";
import { formatMicro, toMicro } from "@/lib/domain/refunds/amounts";
import type { RefundSubject } from "@/lib/domain/refunds/refund";
import { type Refundable, readRefundsOf } from "@/lib/refunds/refundable";
import type { Member } from "@/lib/users/session";

interface RefundsOfProps {
  person: Pick<Member, "merchantId" | "role">;
  subject: RefundSubject;
  /** True for an overpaid order. */
  isOverpaid: boolean;
}

/** Renders the refunds of an order or a transfer, with the buttons to request another. Renders nothing if it received nothing. */
export async function RefundsOf({ person: { merchantId, role }, subject, isOverpaid }: RefundsOfProps) {
  const { pool, now } = getContext();
  const { refunds, refundable, needsEmail } = await readRefundsOf(pool.db, merchantId, subject);
  if (refunds.length === 0 && (refundable === null || refundable.leftMicro <= 0n)) return null;
  return (
    <OrderRefunds
      refunds={refunds}
      now={now()}
      actions={
        refundable && refundable.leftMicro > 0n && mayChange(role) ? (
          <Buttons subject={subject} refundable={refundable} isOverpaid={isOverpaid} needsEmail={needsEmail} />
        ) : null
      }
    />
  );
}

interface RefundsOfOrderProps {
  person: RefundsOfProps["person"];
  order: { id: string; exception: OrderException | null };
}

/** Renders the refunds of an order like `RefundsOf`. */
export function RefundsOfOrder({ person, order: { id, exception } }: RefundsOfOrderProps) {
  const subject = { orderId: id, transferId: null };
  return <RefundsOf person={person} subject={subject} isOverpaid={exception === "overpaid"} />;
}

interface ButtonsProps {
  subject: RefundSubject;
  refundable: Refundable;
  isOverpaid: boolean;
  needsEmail: boolean;
}

function Buttons({ subject, refundable, isOverpaid, needsEmail }: ButtonsProps) {
  const { funds, leftMicro } = refundable;
  const { network, currency, price, receivedUnits, askedUnits } = funds;
  const excess = isOverpaid ? toMicro(network, currency, receivedUnits - askedUnits) : 0n;
  const common = {
    subject: subject.orderId === null ? { transferId: subject.transferId } : { orderId: subject.orderId },
    left: `${formatMicro(leftMicro)} ${currency}`,
    fiat: price?.fiat ?? null,
    needsEmail,
  };
  return (
    <span className="flex flex-wrap gap-2">
      {excess > 0n && excess <= leftMicro ? <RequestRefund {...common} amount={formatMicro(excess)} isExcess /> : null}
      <RequestRefund {...common} amount="" />
    </span>
  );
}
