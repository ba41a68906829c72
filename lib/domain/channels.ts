// The channels of NOTIFY. The suffix `_00` must not change, because processes of the previous version may run concurrently during an
// update.

/** The channel for changes to orders or other targets that pages show. Each line of the payload contains an id and a version. */
export const ORDER_CHANGED = "order_changed_00";
/** The channel for payers' requests for the state of a transaction. The payload is the id of the network where the transaction may be. */
export const LOOKUP_ASKED = "lookup_asked_00";
/** The channel that announces a due callback. */
export const CALLBACK_DUE = "callback_due_00";
/** The channel that announces an expected payment on a network that is polled rarely. The payload is the network's id. */
export const WATCH_WANTED = "watch_wanted_00";
