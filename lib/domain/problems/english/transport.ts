/** Problems with transport, authentication and limits. Only programs receive them, so they are in English only. */
export const transportProblems = {
  // transport
  path_not_found: "The path {path} does not exist; {docs} lists the paths of the API",
  method_not_allowed: "{method} is not allowed for this path; use {allowed}",
  body_incomplete: "The request ended before its body was complete",
  body_too_large: "The request body is larger than {max} bytes (64 KiB)",
  body_empty: "The request body is empty; it must be a JSON object",
  body_not_object: "The request body is {kind}; it must be a JSON object such as {example}",
  body_not_utf8: "The request body is not UTF-8 text",
  body_too_deep: "The request body is nested too deeply",
  body_not_json: "The request body is not valid JSON: {reason}",
  field_repeated: "{name} occurs twice; send it once",
  deadline_exceeded: "The request took too long; repeat it with the same values, which is safe",
  queue_full: "Too many requests are waiting; repeat this one with the same values, which is safe",
  database_unreachable: "The database is unavailable; try again in a few seconds",
  database_busy: "The database is overloaded; repeat the request with the same values, which is safe",
  internal_error: "An internal error occurred; report the request_id {requestId} to the operator",
  // authentication
  api_key_missing: "The X-API-Key header is missing; create a key in the back office under Settings → API keys",
  api_key_unknown: "The key in X-API-Key is unknown, revoked or expired; see Settings → API keys in the back office",
  api_keys_differ: "X-API-Key and Authorization contain different keys; send one of them",
  api_key_lacks_scope: "This API key lacks the scope {needed}; it has {scopes}. See Settings → API keys",
  api_key_wrong_address:
    "This API key must not be used from {address}; its allowed addresses are set under Settings → API keys",
  api_key_not_for_agents:
    "This API key must not be used by agents; a user can allow it in the back office under Settings → API keys",
  api_key_signs_requests:
    "This API key accepts signed requests only, which agents cannot send; create a key for the agent without that rule",
  origin_refused: "Requests from pages of {origin} are refused",
  agent_number_missing:
    "{field} is missing; it must be your unique number of the object, so that a repeated call creates nothing twice",
  tool_unknown: "There is no tool {name}",
  signature_required: "This API key accepts signed requests only; send {headers}",
  signature_incomplete: "The signature is incomplete: {missing} is missing",
  signature_id_malformed: "webhook-id must be 1 to 256 printable ASCII characters without spaces",
  signature_id_used: 'webhook-id "{id}" was already used; each signed request needs a unique id',
  signature_timestamp_malformed: "webhook-timestamp must be Unix time in whole seconds",
  signature_too_old: "webhook-timestamp is {seconds} seconds behind our clock; at most {max} are allowed",
  signature_too_new: "webhook-timestamp is {seconds} seconds ahead of our clock; at most {max} are allowed",
  signature_mismatch:
    "webhook-signature does not match this request; it must be v1,<base64 HMAC-SHA256> over {signed} under the key's secret",
  // reports
  rule_day: "a day in UTC, such as 2026-11-21",
  report_period_invalid: "{field} must be a day from the first day on, and the period must have at most {max} days",
  // limits
  too_many_failures: "Too many requests from this address failed to authenticate; try again in {seconds} s",
  too_many_creates:
    "This API key may create {perMinute} orders per minute, with bursts of up to twice as many; try again in {seconds} s",
  too_many_reads:
    "This API key may send {perMinute} queries per minute, with bursts of up to twice as many; try again in {seconds} s",
  too_many_views: "Too many views from this address; try again in {seconds} s",
  too_many_streams_of_address:
    "This address has too many open event streams; poll the status instead; try again in {seconds} s",
  too_many_streams: "Too many event streams are open; poll the status instead; try again in {seconds} s",
  // public endpoints
  strict_malformed: "strict must be 1 or omitted; got {given}",
  page_order_not_found: "This order does not exist",
  page_order_unreadable: "The order is temporarily unavailable; try again in {seconds} s",
  page_order_not_verified: "The order cannot be paid now because its address was changed; try again in {seconds} s",
  public_keys_unreadable: "The keys are temporarily unavailable; try again in {seconds} s",
} as const;
