/**
 * Problems of requests in the shape of another protocol. No code names a protocol: several integrations share them. Only programs get
 * them, so they are in English alone.
 */
export const integrationProblems = {
  integration_off: "This protocol is switched off for the shop, under Settings → Plugins",
  // paths and authentication
  nothing_at_path: "There is nothing at this path",
  plugin_path_unknown: "There is {paths} under this address",
  nothing_at_store_path: "There is nothing at this path of the store",
  orders_at_other_path: "There is nothing at this path; orders are made at {path}",
  path_allows: "This path takes {allowed}",
  path_allows_only: "This path takes {allowed} alone",
  store_not_found: "There is no such store for this token",
  token_missing: 'There is no token; send the header "Authorization: token <API key of the store>"',
  token_unknown: "The token is unknown or revoked; compare it with Settings → Plugins",
  token_lacks_permission: "The token may not do this: it lacks the permission {permission}",
  plugin_signature_mismatch:
    "The signature was made with no key that is live and switched on; compare the key with Settings → Plugins",
  plugin_sign_mismatch:
    "The pid is unknown, or the sign was not made with its key; compare both with Settings → Plugins",
  plugin_key_in_url:
    'This shop does not accept its key in a URL; send a sign, post the key in a form, or turn on "Accept the key in a URL" under Settings → Plugins',
  // fields of any protocol
  field_invalid: "{field} must be {rule}",
  field_named_twice: "{field} is there more than {max} times",
  value_is_missing: "{field} is missing",
  flag_malformed: "{field} must be true or false",
  value_malformed: "{name} must be a text or a number",
  value_too_long: "{name} may have {max} characters; got {length}",
  value_too_many_bytes: "{name} is longer than {max} bytes",
  field_name_too_long: "Field names may have {max} characters; got {length}",
  too_many_fields: "There are more than {max} fields",
  too_many_request_fields: "A request may have {max} fields; got {count}",
  digits_malformed: "{field} {given} must be a whole number of at most {max} digits",
  // orders
  shop_order_unknown: "There is no order with this number among yours",
  trade_id_unknown: "There is no order with this trade_id",
  own_trade_id_unknown: "There is no order with this trade_id among yours",
  order_number_missing: "Give trade_no or out_trade_no",
  order_number_malformed: "{field} must be 1 to 127 letters, digits or any of . _ - |",
  order_number_paid: "{field}: this order is paid already",
  order_number_paid_use_new: "{field}: this order is paid already; use a new order_id",
  order_number_closed:
    "{field} was used on other terms, and those can be changed no more: money was seen for this order, or its time ended this moment; repeat the first terms, or use a new order_id",
  value_ambiguous: '{name} must not contain "&" before the name of another field and "="',
  passthrough_malformed: "{field} must be at most {max} bytes without control characters",
  payment_type_unknown:
    '{field} "{given}" is not known here; leave it out to let the payer choose, or send one such as usdt.trc20',
  payment_type_not_payable: '{field}: "{given}" cannot be paid here; send one such as {example}',
  choice_not_payable: '"{given}" cannot be paid here; pay/methods lists what can',
  price_malformed: "{field} must be a number above 0 with at most {decimals} decimals, such as {example}",
  price_currency_unknown: '{field} "{given}" is no currency that prices can be in; send an ISO 4217 code such as CNY',
  invoice_currency_unknown:
    "{field} {given} cannot be priced in here; send an ISO 4217 code such as EUR, or USDT or USDC",
  invoice_amount_missing: "{field} is missing; invoices for any amount are not possible here, it must be {rule}",
  rule_fiat_amount_text: 'a number above 0 with at most {decimals} decimals, as {code} has, such as "10.00"',
  address_not_choosable:
    "{field} cannot be chosen by a request; leave it out, and set the addresses under Settings → Receiving addresses",
  rate_not_choosable: "{field} cannot be chosen by a request; leave it out, and set the rate under Settings → Prices",
  method_half_given: "Give token and network, or neither of them to let the payer choose",
  currencies_leave_nothing: "{field} leaves nothing to pay with; USDT and USDC are taken",
  timeout_malformed: "{field} must be a number of seconds, such as 1200",
  action_unknown: "{field} must be order, orders, query or refund",
  refund_not_possible:
    "Nothing is held here, so nothing can be sent back from here: send it from your own wallet, then note the transaction at the transfer in the back office",
  // the payer's choice
  choice_closed: "This order is no longer open to a choice: money came for it, or its time is over",
  choice_amount_reserved:
    "Nothing is free for this amount there at the moment; choose another way to pay, or ask again in a minute",
  choice_not_offered: "This way to pay is not offered at the moment; choose another",
  choice_without_rate: "There is no rate for this currency at the moment; choose another, or ask again in a minute",
  choice_changed_too_often: "This order was switched too often; pay one of the ways that were chosen before",
  choice_changed_too_fast: "The way to pay was changed too often; ask again in a minute",
  // invoices and webhooks
  invoice_not_found: "There is no such invoice in this store",
  invoice_status_not_settable:
    'status can only become "Invalid" by a token; a person marks an order as paid in the back office, on the page of the order',
  invoice_status_unknown: "{field} {given} is unknown; it must be New, Processing, Settled, Expired or Invalid",
  payment_methods_malformed: "{field} must be a list of at most {max} names",
  payment_methods_unknown:
    "{field} names no way to pay that there is here; the store's own are at /payment-methods, such as USDT-TRON",
  payment_methods_without_currency: "{field} names no way to pay in {currency}, the currency of this invoice",
  metadata_malformed: "{field} must be a JSON object",
  redirect_url_malformed: "{field} must be a text such as https://shop.example.com/done",
  text_search_not_possible: "{field} is not possible here; ask by orderId, status, startDate and endDate",
  webhook_not_found: "There is no such webhook in this store",
  too_many_webhooks: "A store has {max} webhooks at most; delete one",
  webhook_secret_malformed: "{field} must be 8 to 200 printable characters without blanks, or left out",
  webhook_events_malformed: '{field} must be {shape}, or name events in "specificEvents", such as InvoiceSettled',
} as const;
