// Channels of NOTIFY. The suffix `_00` must stay, because processes of the previous version may run concurrently during an update.

/** Orders or other targets shown on pages have changed: lines of id and version. */
export const ORDER_CHANGED = "order_changed_00";
/** A payer requested the state of a transaction: the id of the network where it may be. */
export const LOOKUP_ASKED = "lookup_asked_00";
/** A callback is due. */
export const CALLBACK_DUE = "callback_due_00";
/** A payer waits on a network that is not polled closely: its id. */
export const WATCH_WANTED = "watch_wanted_00";
