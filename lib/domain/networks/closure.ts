import { formText } from "@/lib/domain/fields/form";
import { problem } from "@/lib/domain/problems/problem";

/** The name of an operator who uses the command line. */
export const COMMAND_LINE = "command line";

/** The record of a network's closure: the time, the user and the reason. */
export interface Closure {
  closedAt: Date;
  /** The operator's email address, or `COMMAND_LINE`. */
  closedBy: string;
  /** The reason; empty if none was given. */
  reason: string;
}

/** The form that closes a network. */
export const CLOSING_FORM = {
  reason: formText((typed) => {
    const reason = typed.trim();
    return reason === "" ? { problem: problem("closing_reason_missing") } : { value: reason };
  }),
};

/** An order with a payment that was seen on a network and is not final. */
export interface ConfirmingOrder {
  tradeId: string;
  merchantName: string;
  mchOrderId: string;
}

/** The orders and holds that are open on a network. */
export interface OpenOnNetwork {
  /** The oldest confirming orders; their number is limited. */
  confirming: ConfirmingOrder[];
  confirmingCount: number;
  /** The number of pending orders that can be paid on the network. */
  pendingCount: number;
  /** The number of quotes whose amount or address is still reserved. */
  heldCount: number;
  /** The end of the last of these holds; null if there is none, or all have ended. */
  heldUntil: Date | null;
}

/** The value for a network without open orders or holds. */
export const NOTHING_OPEN: OpenOnNetwork = {
  confirming: [],
  confirmingCount: 0,
  pendingCount: 0,
  heldCount: 0,
  heldUntil: null,
};
