import { CELL } from "@/lib/domain/id";

/** Orders that pages show have changed: lines of id and version. */
export const ORDER_CHANGED = `order_changed_${CELL}`;
/** A payer asks what became of a transaction: the id of the network where it may be. */
export const LOOKUP_ASKED = `lookup_asked_${CELL}`;
/** A callback is due. */
export const CALLBACK_DUE = `callback_due_${CELL}`;
/** Somebody waits on a network that is not watched closely: its id. */
export const WATCH_WANTED = `watch_wanted_${CELL}`;
