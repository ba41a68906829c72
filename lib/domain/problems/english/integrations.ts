/**
 * Problems with requests in the format of a different protocol. No code names a protocol, because several integrations share them. Only
 * programs receive them, so they are in English only.
 */
export const integrationProblems = {
  integration_off: "This protocol is disabled for the shop under Settings → Plugins",
  // paths and authentication
  nothing_at_path: "This path does not exist",
  plugin_path_unknown: "This path does not exist; the paths are {paths}",
  nothing_at_store_path: "This path does not exist in the API of the store",
  orders_at_other_path: "This path does not exist; orders are created at {path}",
  path_allows: "This path allows {allowed}",
  path_allows_only: "This path allows only {allowed}",
  store_not_found: "This token has no access to a store with this id",
  token_missing: 'The token is missing; send the header "Authorization: token <API key of the store>"',
  token_unknown: "The token is unknown or revoked; compare it with Settings → Plugins",
  token_lacks_permission: "The token lacks the permission {permission}",
  plugin_signature_mismatch:
    "The signature matches no valid key of the plugin; compare the key with Settings → Plugins",
  plugin_sign_mismatch: "The pid is unknown, or the sign does not match its key; compare both with Settings → Plugins",
  pid_missing: "pid is missing; send the fields as a form (application/x-www-form-urlencoded)",
  sign_type_not_rsa: 'sign_type must be RSA; got "{given}"',
  timestamp_too_far:
    'timestamp must be a Unix time in seconds, at most {max} s from the time of this service, {time}; got "{given}"',
  signature_of_other_path:
    "The request has a notify_url, so it is a request for creating an order; sign a request for this path without notify_url",
  plugin_key_in_url:
    'This shop does not accept its key in a URL; send a sign, post the key in a form, or turn on "Accept the key in a URL" under Settings → Plugins',
  // fields of any protocol
  field_invalid: "{field} must be {rule}",
  field_named_twice: "{field} occurs more than {max} times",
  value_is_missing: "{field} is missing",
  flag_malformed: "{field} must be true or false",
  value_malformed: "{name} must be a string or a number",
  value_too_long: "{name} must have at most {max} characters; got {length}",
  value_too_many_bytes: "{name} must have at most {max} bytes",
  field_name_too_long: "Field names must have at most {max} characters; got {length}",
  too_many_fields: "A request must have at most {max} fields",
  too_many_request_fields: "A request must have at most {max} fields; got {count}",
  digits_malformed: "{field} must be a whole number of at most {max} digits; got {given}",
  // orders
  shop_order_unknown: "You have no order with this number",
  trade_id_unknown: "No order has this trade_id",
  own_trade_id_unknown: "You have no order with this trade_id",
  order_number_missing: "trade_no or out_trade_no is required",
  order_named_not_once: "Send exactly one of trade_id and order_id",
  order_number_malformed: "{field} must be 1 to 127 letters, digits or any of . _ - |",
  order_number_paid: "{field}: this order is already paid",
  order_number_paid_use_new: "{field}: this order is already paid; use a new order_id",
  order_number_closed:
    "{field} was used with other terms, which can no longer be changed because a payment was detected or the order just expired; send the original terms again, or use a new order_id",
  value_ambiguous: '{name} must not contain "&" before the name of another field and "="',
  passthrough_malformed: "{field} must be at most {max} bytes without control characters",
  payment_type_unknown: '{field} "{given}" is unknown; omit it to let the payer choose, or send one such as usdt.trc20',
  payment_type_not_payable: '{field}: "{given}" is not available; send one such as {example}',
  choice_not_payable: '"{given}" is not available; pay/methods lists the available methods',
  price_malformed: "{field} must be a number above 0 with at most {decimals} decimals, such as {example}",
  price_currency_unknown: '{field} "{given}" is not a supported currency; send an ISO 4217 code such as CNY',
  invoice_currency_unknown:
    "{field} {given} is not a supported currency; send an ISO 4217 code such as EUR, or USDT or USDC",
  invoice_amount_missing: "{field} is missing; invoices without an amount are not supported, so it must be {rule}",
  rule_fiat_amount_text: 'a number above 0 with at most {decimals} decimals, as {code} has, such as "10.00"',
  address_not_choosable:
    "{field} cannot be set by a request; omit it, and set the addresses under Settings → Receiving addresses",
  rate_not_choosable: "{field} cannot be set by a request; omit it, and set the rate under Settings → Prices",
  method_half_given: "Send both token and network, or neither to let the payer choose",
  currencies_leave_nothing: "{field} excludes all currencies; USDT and USDC are supported",
  timeout_malformed: "{field} must be a number of seconds, such as 1200",
  action_unknown: "{field} must be order, orders, query or refund",
  refund_not_possible:
    "Stablegate holds no funds and cannot send refunds: send the refund from your own wallet, then record its transaction on the transfer in the back office",
  // pull payments and payouts
  pull_payment_not_found: "There is no such pull payment; use the id that the request for it returned",
  payout_not_found: "There is no such payout: the customer has not claimed this refund, or it does not exist",
  pull_payment_archived: "The shop cancelled this refund, so it cannot be claimed; ask the shop for a new one",
  pull_payment_name_too_long: "{field} must have at most {max} characters; got {length}",
  pull_payment_amount: '{field} must be a decimal number above 0, such as "10.00"; got {given}',
  pull_payment_period: "{field} is not supported, because a refund is claimed once; omit it",
  pull_payment_starts_later: "{field} must not be in the future: a refund can be claimed immediately; omit it",
  pull_payment_expiry: "{field} must be between {from} and {to} (Unix seconds); omit it for 30 days",
  pull_payment_currency:
    "{field} {given} is not a currency of the order: {number}. Use {currencies}, in which it was priced or paid",
  pull_payment_order_unnamed:
    '{field} must end with the number of the paid order, before the first semicolon, such as "Refund of order 123; reason". No paid invoice of this store has the order number that {given} ends with. To refund a certain invoice, use POST /invoices/<invoice>/refund',
  pull_payment_order_ambiguous:
    "{count} paid invoices have the order number {number}, so the pull payment does not say which one to refund; use POST /invoices/<invoice>/refund with one of {ids}",
  refund_variant_unknown:
    "{field} {given} is unknown; it must be RateThen, CurrentRate, OverpaidAmount, Fiat or Custom",
  refund_percentage: "{field} must be a number from 0 to less than 100; got {given}",
  refund_not_overpaid: "{field}: this invoice has no overpaid amount that is left to refund",
  refund_variant_without_fiat: "{field}: this invoice has no fiat price; use RateThen or Custom",
  refund_method_unknown:
    "The payment was not made in the currency of the payment method {given}; it was made in {currency}",
  payout_amount_too_low: "A refund is claimed once and in full: omit amount, or send {amount} {currency}; got {given}",
  payout_overdraft: "The claimed amount {given} is more than the refund: {amount} {currency}",
  payout_method_unsupported:
    "This refund cannot be paid with {given}; use a payment method in {currency} on one of these networks: {networks}",
  payout_needs_page:
    "Before a claim, this shop asks for the order number or the email address of the order: open {url} to claim the refund",
  payout_without_pull_payment:
    "{field} is missing: payouts are refunds of orders. Create a pull payment, or refund an invoice with POST /invoices/<invoice>/refund, and send its id",
  payout_approved_by_user:
    "A user approves each refund in the back office, after confirming the password: open {url}. No API key can approve refunds or their claims",
  payout_completed_by_transfer:
    "A refund is completed by its transfer on the network, not by a request. Its state is {state}: send exactly {amount} {currency} from your own wallet to the address of the payout ({url}); the transfer is detected",
  payout_state_unsettable: "{field} {given} cannot be set by a request; only Cancelled can",
  // the payer's choice
  choice_closed: "The payment method of this order can no longer be changed: a payment arrived, or the order expired",
  choice_amount_reserved:
    "No unique amount is available for this price with this payment method; choose another payment method, or try again in a minute",
  choice_not_offered: "This payment method is not available now; choose another",
  choice_without_rate: "No rate is available for this currency; choose another, or try again in a minute",
  choice_changed_too_often:
    "The payment method of this order was changed too many times; use one of the earlier methods",
  choice_changed_too_fast: "The payment method was changed too many times; try again in a minute",
  service_away_for_payer: "This payment service does not respond at the moment; try again in a minute",
  // the payer's transaction
  lookup_without_method: "This order has no payment method yet; choose one first",
  lookup_id_malformed:
    "{field} must be a transaction id of a network on which this order can be paid, or its link in a block explorer",
  lookups_too_often: "Too many transactions were submitted; try again in a minute",
  // invoices and webhooks
  invoice_not_found: "This store has no such invoice",
  invoice_status_not_settable:
    'status can only be set to "Invalid" by a token; users mark orders as paid in the back office, on the page of the order',
  invoice_status_unknown: "{field} {given} is unknown; it must be New, Processing, Settled, Expired or Invalid",
  payment_methods_malformed: "{field} must be a list of at most {max} names",
  payment_methods_unknown:
    "{field} contains no available payment method; /payment-methods lists the store's methods, such as USDT-TRON",
  payment_methods_without_currency: "{field} contains no payment method in {currency}, the currency of this invoice",
  metadata_malformed: "{field} must be a JSON object",
  redirect_url_malformed: "{field} must be a string such as https://shop.example.com/done",
  dates_reversed: "startDate must not be after endDate; got {from} and {to}",
  invoice_not_archived: "This invoice is not archived",
  delivery_not_found: "This webhook has no such delivery, or it has not been sent yet",
  webhook_not_found: "This store has no such webhook",
  too_many_webhooks: "A store can have at most {max} webhooks; delete one",
  webhook_secret_malformed: "{field} must be 8 to 200 printable characters without spaces, or omitted",
  webhook_events_malformed: '{field} must be {shape}, or list events in "specificEvents", such as InvoiceSettled',
} as const;
