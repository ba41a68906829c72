/** Problems that are the same in every language. */
export const untranslatedProblems = {
  /** A sentence that an earlier release recorded, or a message of another program. */
  recorded_text: "{text}",
  outbound_notify_url_invalid: "notify_url {reason}",
} as const;

/** Reasons why the signing key of callbacks was not rotated. They are printed in a terminal, in English. */
export const signingKeyProblems = {
  signing_keys_changed: "Another process changed the keys at the same time",
  signing_key_too_new: "The next key is shown since {createdAt}; it may sign from {readyAt} on",
  signing_key_unreadable:
    "The next key cannot be opened with this APP_SECRET. Give the one that the installation runs with; where that is lost, put new keys in the place of all by --replace-all",
} as const;

/** Reasons why a request to another server has no usable response. They are recorded with attempts and shown to users. */
export const outboundProblems = {
  outbound_address_invalid: "the address {reason}",
  outbound_channel_address_invalid: "its address {reason}",
  outbound_timeout: "nothing was finished within {seconds} seconds",
  outbound_dns_timeout: "the name {host} was not looked up within {seconds} seconds",
  outbound_connect_timeout: "no connection within {seconds} seconds",
  outbound_response_timeout: "no answer came within {seconds} seconds",
  outbound_interim_responses: "interim answers (status 1xx) came without an end",
  outbound_other_address_connected: "another address of the host was first",
  outbound_host_without_address: "the host has no address",
  outbound_name_without_address: "the name {host} has no address",
  outbound_name_not_resolved: "the name {host} could not be looked up ({code})",
  outbound_peer_not_public: "the connection ended at {kind}; requests go to public addresses only",
  outbound_host_not_public: "{host} leads to {kind}; requests go to public addresses only",
  outbound_closed_at_once: "the connection was closed at once",
  outbound_connection_refused: "the connection was refused",
  outbound_connection_closed: "the connection was closed before an answer came",
  outbound_connection_timed_out: "the connection timed out",
  outbound_host_unreachable: "the host cannot be reached",
  outbound_network_unreachable: "the host's network cannot be reached",
  outbound_no_connections_left: "this service has no more connections to spare",
  outbound_headers_too_long: "the headers of the answer are too long",
  outbound_certificate_expired: "the certificate of the host has expired",
  outbound_certificate_not_yet_valid: "the certificate of the host is not valid yet",
  outbound_certificate_other_name: "the certificate of the host is for another name",
  outbound_certificate_self_signed: "the certificate of the host is self-signed",
  outbound_certificate_not_trusted: "the certificate of the host comes from an authority that is not trusted",
  outbound_certificate_unverifiable:
    "the certificate of the host cannot be verified: the intermediate one is not sent with it, or its authority is not trusted",
  outbound_not_http: "the answer is no valid HTTP",
  outbound_tls_failed: "the host does not speak TLS as we do",
  outbound_connection_failed: "the connection failed ({code})",
  outbound_unknown: "something unknown went wrong",
  outbound_redirect: "it answered with a redirect (status {status}), which is not followed",
  outbound_status: "it answered with status {status}",
  outbound_compressed: "the answer is compressed ({encoding})",
  outbound_incomplete: "the answer is too large, or broke off before its end",
} as const;

/** Reasons why a notification or an email was not sent. */
export const deliveryProblems = {
  delivery_not_written: "the message could not be made; the log says why",
  account_mail_not_written: "it could not be made",
  delivery_without_smtp: "this installation has no SMTP server (SMTP_URL)",
  delivery_mail_timeout: "the mail server took too long",
  delivery_mail_refused: 'the mail server answered "{response}"',
  delivery_mail_credentials: "the mail server refused the user name or password of SMTP_URL",
  delivery_mail_without_tls: "the mail server offers no safe connection (TLS)",
  delivery_mail_unreachable: "the mail server could not be reached: {reason}",
  delivery_telegram_status: "Telegram answered {status}",
  delivery_telegram_refused: "Telegram answered {status}: {description}",
  delivery_webhook_status: "the webhook answered {status}",
} as const;

/** Reasons why a source of exchange rates is not used. */
export const rateSourceProblems = {
  rate_source_too_slow: "it takes too long to answer",
  rate_source_not_json: "the answer is no JSON",
  rate_source_without_number: "the answer has no number above 0 at {path}",
  rate_source_without_numbers: "the answer has no number above 0 at {path} and {timePath}",
} as const;
