/** Problems with orders, prices, transfers, refunds and networks. */
export const orderProblems = {
  // finding and creating orders
  api_key_not_for_plugin:
    'This API key was not made for a plugin. In the back office, create a key with "For a plugin", or allow this key under Settings → Plugins, then save the settings of the plugin again.',
  api_key_dead: "The API key was revoked or has expired; use another key from Settings → API keys",
  order_not_found: "You have no order with this trade_id and mch_order_id",
  order_unknown: "You have no order with this id",
  order_number_used:
    "mch_order_id {mchOrderId} was already used with {path}; repeat the request there, or use a new mch_order_id",
  order_number_used_and_deleted: "mch_order_id was already used by an order that has been deleted: {tradeId}",
  order_number_taken: "{field} was already used; use another",
  order_terms_differ:
    "{field} was {before} when mch_order_id {mchOrderId} was first used and is {now} now; send the original values again, or use a new mch_order_id",
  order_being_withdrawn: "This order is being withdrawn; repeat the request",
  order_address_changed:
    "The integrity check of the address of order {tradeId} failed: it was changed in the database. Do not let anyone pay it; cancel it, check Settings → Receiving addresses in the back office, and create an order with a new mch_order_id",
  value_not_given: "not given",
  token_not_on_network: "{field} {currency} is not offered on {network}",
  token_switched_off: "{field} {currency} is disabled on {network}",
  method_not_offered:
    "{currency} on {network} is not offered; enable it in the back office under Settings → Order terms, or use another",
  amount_below_minimum: "{field}: the minimum of an order is {amount}, as set under Settings → Order terms",
  amount_above_maximum: "{field}: the maximum of an order is {amount}, as set under Settings → Order terms",
  network_without_address:
    'network "{network}" has no active receiving address; add one for {name} in the back office under Settings → Receiving addresses',
  no_receiving_address:
    "network was omitted, but you have no active receiving address; add one in the back office under Settings → Receiving addresses",
  amounts_reserved:
    "Every amount for this price is reserved on all your receiving addresses for {network}; add another address under Settings → Receiving addresses, or wait: an amount stays reserved until its hold ends",
  amount_reserved:
    "No unique amount is available for this price on your receiving addresses for {network}; add another address under Settings → Receiving addresses, or wait: an amount stays reserved until its hold ends",
  network_unavailable: "{network} is currently not accepting new orders: {reason}",
  network_closed_by_operator: "an operator closed it on {since}",
  network_unwatched: "no worker has read this network since {since}",
  network_not_taking_orders: "{network} is currently not accepting new orders; try again in a minute",
  networks_not_taking_orders: "None of your networks is currently accepting new orders; try again in a minute",
  addresses_unverifiable:
    "Receiving addresses cannot be verified now, so none is used: the operator of this installation must correct its settings",
  address_changed:
    "The integrity check of a receiving address failed: it was changed in the database and is now paused; check it in the back office under Settings → Receiving addresses, then repeat the request",
  // changing orders
  order_paid: "This order is already paid",
  order_not_cancellable_paid: "This order is paid and cannot be cancelled",
  order_not_cancellable_confirming: "A payment for this order is being confirmed, so it cannot be cancelled now",
  order_not_cancellable_transfer:
    "A transfer for this order has arrived, so only a user can cancel it, in the back office",
  order_not_cancellable_refunds: "The payment of this order has refunds. Cancel them first, or let the order expire",
  order_not_cancellable_amount:
    "A transfer of the full amount has arrived: it is being confirmed, or is unmatched and can be assigned",
  order_expired: "This order has already expired",
  order_cancelled: "This order is already cancelled",
  order_cancel_refused: "{problem}; trade_id {tradeId}",
  order_without_quote: "The payer of this order has not selected a network yet, so there is no amount to pay",
  new_amount_reserved: "No unique amount is available for the new price; the order was not changed",
  new_method_not_offered: "The new payment method is not available now; the order was not changed",
  new_price_without_rate: "No rate is available for the new price; the order was not changed",
  order_changed_too_often: "This order already has {count} quotes, which all stay reserved; use a new order number",
  reason_missing: "Enter a reason for the order's history",
  closing_reason_missing: "Enter a reason",
  // prices
  fiat_amount_above_maximum: "{field} {amount} {fiat} is more than {max} {currency}, the maximum of an order",
  rate_missing:
    "No rate is available for {currency} in {fiat}: {reason}; try again, or set a fixed rate in the back office under Settings → Prices",
  rate_too_small: "the market rate is too small",
  rate_stale: "no source has a current rate",
  rate_sources_disagree: "the sources contradict each other ({sources})",
  merchant_unknown: "the merchant does not exist",
  // transfers and refunds
  transfer_unknown: "This transfer does not exist",
  transfer_pays_order: "This transfer is already credited to an order",
  transfer_dropped: "A reorg removed this transfer, so it cannot be assigned",
  transfer_being_matched: "This transfer is being matched. Try again",
  transfer_of_other_token:
    "This is {token}, which is never credited to an order. It cannot be assigned: send it back, or accept it and mark its order as paid.",
  transfer_not_linked: "This transfer is not linked to this order",
  transfer_of_paid_order: "This order is paid, so its transfers cannot be unlinked",
  transfer_refunded:
    "Without this transfer, the refunds of the order are {excess} {currency} more than it received. Cancel refunds first",
  transfer_already_acknowledged: "This removal was already acknowledged, or the chain includes the transfer again",
  refund_of_dropped: "A reorg removed this transfer, so there is nothing to refund",
  refund_of_unconfirmed: "This transfer is not final yet: record its refund once it is confirmed",
  refund_id_malformed: "This is not a transaction id of {network}",
  refund_is_payment: "This is the payment itself, not its refund",
  too_many_refunds: "Too many refunds were recorded at once. Wait a moment and try again",
  // networks
  network_never_used: '"{name}" is not a network of this version and was never used by this installation',
  // payment links
  rule_link_id: "the link_id of the link/add response",
  link_id_not_id: "{field} must be the link_id of the link/add response; got {given}",
  link_number_wrong_length: "{field} must have {min} to {max} characters; {given} has {length}",
  link_amount_with_fiat: "{field} is in tokens; set either amount, or fiat and fiat_amount",
  link_fiat_missing: "{field} needs fiat, the currency of the price",
  link_bound_with_amount: "{field} is for an amount that the payer enters; omit it, or omit the fixed amount",
  link_bounds_swapped: "The minimum {min} is more than the maximum {max}",
  link_seconds_out_of_range:
    "{field} must be {min} to {max} seconds, or 0 for a link that does not expire; got {given}",
  link_id_missing: "Set link_id or mch_link_id",
  link_not_found: "You have no payment link with this link_id or mch_link_id",
  link_terms_differ:
    "mch_link_id {mchLinkId} was already used for a payment link with other terms; send the original values again, or use a new one",
  link_amount_missing: "Enter the amount, or let the payer enter it",
  link_date_malformed: "Enter a date in the future",
  // refunds that customers claim
  rule_refund_id: "the refund_id of the refund/add response",
  rule_email: "an email address",
  refund_id_not_id: "{field} must be the refund_id of the refund/add response; got {given}",
  refund_number_wrong_length: "{field} must have {min} to {max} characters; {given} has {length}",
  refund_amount_twice: "Set either amount or fiat_amount, not both",
  refund_id_missing: "Set refund_id or mch_refund_id",
  refund_not_found: "You have no refund with this refund_id or mch_refund_id",
  refund_unknown: "You have no refund with this id",
  refund_order_unpaid: "This order has received no payment, so nothing can be refunded",
  refund_transfer_unknown:
    "Only a confirmed transfer that is credited to no order or customer can be refunded; this one is not",
  refund_email_missing:
    "email is missing: under Settings → Refunds, customers are asked for their email address before a claim",
  refund_number_used: "mch_refund_id {mchRefundId} was already used for another order; use a new one",
  refund_terms_differ:
    "mch_refund_id {mchRefundId} was already used for a refund with other terms; send the original values again, or use a new one",
  refunds_too_many: "An order or a transfer can have at most {max} refunds that are not cancelled or expired",
  refund_nothing_left: "Everything that was received is refunded already, or is part of other refunds",
  refund_too_large: "{given} {currency} is more than what is left to refund: {left} {currency}",
  refund_too_large_in_tokens:
    "{given} {fiat} is more than what is left to refund at the rate of the order: {left} {currency}",
  refund_without_fiat: "fiat_amount cannot be used: the order has no fiat price; use amount instead",
  refund_fiat_malformed: "{given} is not an amount of {fiat}; use at most the decimals of the currency",
  refund_not_claimed: "The customer has not entered an address for this refund, or the refund was decided already",
  refund_network_unavailable: "The refund cannot be paid on the network {network} at the moment; reopen the refund",
  refund_address_own: "The customer entered one of your own addresses; reopen the refund",
  refund_exceeds_payment:
    "With this refund, the refunds of the order would exceed what it received by {excess} {currency}; cancel another refund first",
  refund_already_sent: "The transfer of this refund was already detected (status {status}), so it cannot be cancelled",
  refund_expired: "This refund has expired",
  refund_cancel_refused: "{problem}; refund_id {refundId}",
  refund_reason_too_long: "Enter a reason of at most {max} characters; it has {length}",
  refund_amount_malformed: "Enter an amount above 0 with at most 6 decimals; got {given}",
  refund_days_out_of_range: "Enter {min} to {max} days",
  refund_claim_changed:
    "The claim of this refund was changed in the database after the customer entered it. Pay nothing; request another address, and find out who can write to the database",
  refund_address_listed:
    "The {currency} token contract blocks this address. Confirm that you want to approve the refund anyway, or request another address",
  refund_not_payable: "This refund cannot be paid: its status is {status}, not approved",
  refund_payment_recorded:
    "A payment of this refund was started, or is in a batch file, or its details changed. Check the page, and confirm that you want to pay again",
  refund_batch_empty: "Select at least one approved refund",
  refund_batch_changed:
    "{count} of the selected refunds changed: they were paid, cancelled, or written to another file. Select the refunds again",
  refund_batch_own: "This address is the recipient of one of the refunds. Enter the address that pays",
  refund_batch_unready: "The newest block of {network} is not known right now. Try again in a moment",
  refund_batch_paid:
    "{count} of the selected refunds are in a batch file already, or a wallet was asked to pay them. Confirm that you want to include them again",
  refund_check_unknown: "Select what customers are asked for",
  // the claim page
  claim_unknown: "This refund does not exist. Check the link.",
  claim_used: "This refund was already claimed.",
  claim_expired: "The time to claim this refund has ended. Ask the shop for a new link.",
  claim_too_often: "There were too many attempts. Try again in a few minutes.",
  claim_network_not_offered: "Choose one of the networks in the list.",
  claim_not_confirmed: "These are not the last {count} characters of the address. Compare the address and try again.",
  claim_wrong_email: "This is not the email address of the order.",
  claim_wrong_order_number: "This is not the number of the order.",
  claim_address_of_shop: "This address belongs to the shop. Enter an address of your own.",
} as const;
