/** Problems of orders, prices, transfers, refunds and networks. */
export const orderProblems = {
  // finding and creating orders
  api_key_dead: "The API key was revoked or has ended; use another key from Settings → API keys",
  order_not_found: "There is no order with this trade_id and mch_order_id among yours",
  order_unknown: "You have no order with this id",
  order_number_used: "mch_order_id {mchOrderId} was used by {path} before; ask there again, or use a new mch_order_id",
  order_number_used_and_deleted: "mch_order_id was used before, by an order that is deleted since: {tradeId}",
  order_number_taken: "{field} was used before; use another",
  order_terms_differ:
    "{field} was {before} when mch_order_id {mchOrderId} was first used and is {now} now; repeat the first values, or use a new mch_order_id",
  order_being_withdrawn: "This order is being taken back at this moment; please ask again",
  order_address_changed:
    "The address of this order, {tradeId}, does not fit its seal: it was changed in the database. Do not let anybody pay it; cancel it, check Settings → Receiving addresses in the back office, and ask with a new mch_order_id",
  value_not_given: "not given",
  token_not_on_network: "{field} {currency} is not offered on {network}",
  token_switched_off: "{field} {currency} is switched off on {network}",
  method_not_offered:
    "{currency} on {network} is not offered; switch it on in the back office under Settings → Order terms, or ask for another",
  amount_below_minimum: "{field}: an order must ask for at least {amount}, as set under Settings → Order terms",
  amount_above_maximum: "{field}: an order must ask for at most {amount}, as set under Settings → Order terms",
  network_without_address:
    'network "{network}" has no active receiving address; add one for {name} in the back office under Settings → Receiving addresses',
  no_receiving_address:
    "network is left to the payer, though you have no active receiving address; add one in the back office under Settings → Receiving addresses",
  amounts_reserved:
    "Every amount for this price is reserved on all your receiving addresses for {network}; add another address under Settings → Receiving addresses, or wait: an amount is held until its order's time is over",
  amount_reserved:
    "Nothing is free for this amount on your receiving addresses for {network} at this moment; add another address under Settings → Receiving addresses, or wait: an amount is held until its order's time is over",
  network_unavailable: "{network} takes no new orders at the moment: {reason}",
  network_closed_by_operator: "an operator closed it on {since}",
  network_unwatched: "Nobody has watched this network since {since}",
  network_not_taking_orders: "{network} takes no new orders at the moment; ask again in a minute",
  networks_not_taking_orders: "Every network of yours takes no new orders at the moment; ask again in a minute",
  addresses_unverifiable:
    "Receiving addresses cannot be verified at the moment, so none is given out: the operator of this installation has to correct its settings, then ask again",
  address_changed:
    "A receiving address does not fit its seal: it was changed in the database, so it was paused; check it in the back office under Settings → Receiving addresses, then ask again",
  // changing orders
  order_paid: "This order is paid already",
  order_not_cancellable_paid: "This order is paid: it cannot be cancelled",
  order_not_cancellable_confirming: "A payment of this order is being confirmed: it cannot be cancelled now",
  order_not_cancellable_transfer:
    "A transfer for this order has arrived, so only a user can cancel it, in the back office",
  order_not_cancellable_amount:
    "A transfer of the whole amount has arrived: it is being confirmed, or is listed among the unmatched transfers, where it can be assigned",
  order_expired: "This order has expired already",
  order_cancelled: "This order is cancelled already",
  order_cancel_refused: "{problem}; trade_id {tradeId}",
  order_without_quote:
    "The payer of this order has not chosen a network yet, so nothing is asked for that could be paid",
  new_amount_reserved: "Nothing is free for the new amount at this moment; the order stays as it was",
  new_method_not_offered: "The new way to pay is not offered at this moment; the order stays as it was",
  new_price_without_rate: "Nobody can say at this moment what the new price comes to; the order stays as it was",
  order_changed_too_often:
    "This order was asked for in {count} ways already, and all stay held; use a new order number",
  reason_missing: "Say why, for those who look at this order later",
  closing_reason_missing: "Enter a reason",
  // prices
  fiat_amount_above_maximum:
    "{field} {amount} {fiat} comes to more than {max} {currency}, the most that an order may ask for",
  rate_missing:
    "There is no rate of {currency} in {fiat}: {reason}; ask again, or set a fixed rate in the back office under Settings → Prices",
  rate_too_small: "the market is too small a number to count with",
  rate_stale: "no source of rates has given a fresh one",
  rate_sources_disagree: "the sources of rates contradict each other ({sources})",
  merchant_unknown: "there is no such merchant",
  // transfers and refunds
  transfer_unknown: "There is no such transfer",
  transfer_pays_order: "This transfer pays an order already",
  transfer_dropped: "The chain took this transfer back: there is nothing to assign",
  transfer_being_matched: "This transfer is being matched at this moment. Try again",
  transfer_of_other_token:
    "This is {token}, which pays no order. It cannot be assigned: send it back, or accept it by marking its order as paid by hand.",
  transfer_not_linked: "This transfer is not linked to this order",
  transfer_of_paid_order: "This order is paid, so its transfers cannot be unlinked",
  transfer_already_acknowledged:
    "Nobody waits for this any more: it was acknowledged, or the chain has the transfer again",
  refund_of_dropped: "The chain took this transfer back: there is nothing to refund",
  refund_of_unconfirmed: "This transfer is not final yet: note its refund once it is confirmed",
  refund_id_malformed: "This is no transaction id of {network}",
  refund_is_payment: "This is the payment itself, not its refund",
  too_many_refunds: "Too many refunds were noted at once. Wait a moment and try again",
  // networks
  network_never_used: '"{name}" is no network of this version, and has never been used here',
} as const;
