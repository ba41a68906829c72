import type { CallbackType } from "@/lib/domain/callbacks/callback";
import type { Currency } from "@/lib/domain/networks";
import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";

/** The effects of assigning a transfer to an order. Units are those of the order's token. */
export interface AssignOutcome {
  status: OrderStatus;
  exception: OrderException | null;
  network: string;
  currency: Currency;
  dueUnits: bigint;
  /** The sum of all transfers of the order, including the assigned one. */
  arrivedUnits: bigint;
  /** The callbacks that are sent for the assignment, with their hosts. */
  callbacks: readonly { type: CallbackType; host: string }[];
  /** The host that receives an event as soon as the order is paid; null if there is none. */
  laterHost: string | null;
}

/** Returns a name of an outcome; outcomes with equal names are equal. */
export function outcomeName(outcome: AssignOutcome): string {
  const { status, exception, network, currency, dueUnits, arrivedUnits, callbacks, laterHost } = outcome;
  const reported = callbacks.map(({ type, host }) => [type, host]);
  return JSON.stringify([status, exception, network, currency, `${dueUnits}`, `${arrivedUnits}`, reported, laterHost]);
}
