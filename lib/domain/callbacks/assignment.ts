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
  /** The sum of all transfers, including this one. */
  arrivedUnits: bigint;
  /** Callbacks that are sent for it, and to which hosts. */
  callbacks: readonly { type: CallbackType; host: string }[];
  /** The host to which an event goes as soon as the order is paid; null if there is none. */
  laterHost: string | null;
}

/** Two outcomes of one name are the same. */
export function outcomeName(outcome: AssignOutcome): string {
  const { status, exception, network, currency, dueUnits, arrivedUnits, callbacks, laterHost } = outcome;
  const reported = callbacks.map(({ type, host }) => [type, host]);
  return JSON.stringify([status, exception, network, currency, `${dueUnits}`, `${arrivedUnits}`, reported, laterHost]);
}
