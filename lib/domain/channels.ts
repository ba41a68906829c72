// Notifications are of a whole database, so that those of cells beside each other are told apart by their names.

/** Orders, or deposit addresses, that pages show have changed: lines of id and version. */
export const ORDER_CHANGED = "order_changed";
/** A payer asks what became of a transaction: the id of the network where it may be. */
export const LOOKUP_ASKED = "lookup_asked";
/** A callback is due. */
export const CALLBACK_DUE = "callback_due";
/** Somebody waits on a network that is not watched closely: its id. */
export const WATCH_WANTED = "watch_wanted";
