// Channels of NOTIFY. The ending `_00` stays, because processes of the previous version may run beside this one while it is updated.

/** Orders or other targets that pages show have changed: lines of id and version. */
export const ORDER_CHANGED = "order_changed_00";
/** A payer asks for the state of a transaction: the id of the network where it may be. */
export const LOOKUP_ASKED = "lookup_asked_00";
/** A callback is due. */
export const CALLBACK_DUE = "callback_due_00";
/** A payer waits on a network that is not polled closely: its id. */
export const WATCH_WANTED = "watch_wanted_00";
