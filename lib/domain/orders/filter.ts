import { ORDER_INTEGRATIONS, type OrderIntegration } from "@/lib/domain/integration";
import { filterBy, oneOf, readDay, TEXT_LIMIT } from "@/lib/domain/list-filter";
import { PUBLIC_DECIMALS, parseUnits } from "@/lib/domain/money";
import { CURRENCIES, type Currency, findNetwork } from "@/lib/domain/networks";
import { ORDER_EXCEPTIONS, ORDER_STATUSES, type OrderException, type OrderStatus } from "@/lib/domain/orders/order";

/** Which orders a list or a file shows; lives only in the URL. */
export interface OrderFilter {
  status?: OrderStatus;
  exception?: OrderException;
  /** Id of a network. */
  network?: string;
  currency?: Currency;
  /** Only orders whose callback fares so. */
  callback?: CallbackStatus;
  /** Only orders that were asked for in these words. */
  integration?: OrderIntegration;
  /** First and last day on which they were made, both included: "2026-11-22", in UTC. */
  from?: string;
  to?: string;
  /** Least and most that the payer is asked for, both included: decimal texts, in whichever token. */
  min?: string;
  max?: string;
  /** Order id, the merchant's own number or its beginning, transaction hash or address. */
  text?: string;
}

export const CALLBACK_STATUSES = ["pending", "delivered", "failed"] as const;
export type CallbackStatus = (typeof CALLBACK_STATUSES)[number];

/** The filter of orders: the forms, the chips, the URL of a page and of a file are all read and written by it. */
export const orderFilter = filterBy<OrderFilter>({
  text: { param: "q", read: (typed) => typed.trim().slice(0, TEXT_LIMIT) },
  status: { param: "status", read: oneOf(ORDER_STATUSES) },
  exception: { param: "exception", read: oneOf(ORDER_EXCEPTIONS) },
  network: { param: "network", read: (typed) => findNetwork(typed)?.id },
  currency: { param: "currency", read: oneOf(CURRENCIES) },
  callback: { param: "callback", read: oneOf(CALLBACK_STATUSES) },
  integration: { param: "integration", read: oneOf(ORDER_INTEGRATIONS) },
  from: { param: "from", read: readDay },
  to: { param: "to", read: readDay },
  min: { param: "min", read: readAmount },
  max: { param: "max", read: readAmount },
});

/** The amounts of a filter in steps of 0.000001. */
export function amountSpan({ min, max }: OrderFilter): { least: bigint | null; most: bigint | null } {
  const steps = (text: string | undefined) => (text ? parseUnits(text, PUBLIC_DECIMALS) : null);
  return { least: steps(min), most: steps(max) };
}

function readAmount(typed: string): string | undefined {
  const text = typed.trim();
  return text.length <= TEXT_LIMIT && /^\d{1,15}(\.\d{1,6})?$/.test(text) ? text : undefined;
}
