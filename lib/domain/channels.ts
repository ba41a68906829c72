// The channels of NOTIFY. The suffix `_00` must not change, because processes of the previous version may run concurrently during an
// update.

/** The channel for changes of orders or other targets shown on pages. The payload has lines of id and version. */
export const ORDER_CHANGED = "order_changed_00";
/** The channel for payers' requests for the state of a transaction. The payload is the id of the network where the transaction may be. */
export const LOOKUP_ASKED = "lookup_asked_00";
/** The channel that announces a due callback. */
export const CALLBACK_DUE = "callback_due_00";
/** The channel for payers on a network that is polled rarely. The payload is the network's id. */
export const WATCH_WANTED = "watch_wanted_00";
