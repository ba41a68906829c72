/** Problems that are the same in every language. */
export const untranslatedProblems = {
  /** A sentence that an earlier release recorded, or a message from a different program. */
  recorded_text: "{text}",
  outbound_notify_url_invalid: "notify_url {reason}",
} as const;

/** Reasons why the signing key of callbacks was not rotated. They are printed in a terminal, in English. */
export const signingKeyProblems = {
  signing_keys_changed: "Another process changed the keys at the same time",
  signing_key_too_new: "The next key was published at {createdAt}; it can sign from {readyAt}",
  signing_key_unreadable:
    "The next key cannot be decrypted with this APP_SECRET. Use the one that the installation runs with; if it is lost, replace all keys with --replace-all",
} as const;

/** Reasons why a request to a remote server has no usable response. They are recorded with attempts and shown to users. */
export const outboundProblems = {
  outbound_address_invalid: "the address {reason}",
  outbound_channel_address_invalid: "its address {reason}",
  outbound_timeout: "no response was complete within {seconds} seconds",
  outbound_dns_timeout: "{host} was not resolved within {seconds} seconds",
  outbound_connect_timeout: "no connection within {seconds} seconds",
  outbound_response_timeout: "no response within {seconds} seconds",
  outbound_interim_responses: "there were too many interim responses (status 1xx)",
  outbound_other_address_connected: "another address of the host connected first",
  outbound_host_without_address: "the host has no address",
  outbound_name_without_address: "{host} has no address",
  outbound_name_not_resolved: "{host} could not be resolved ({code})",
  outbound_peer_not_public: "the connection was made to {kind}; requests go to public addresses only",
  outbound_host_not_public: "{host} resolves to {kind}; requests go to public addresses only",
  outbound_closed_at_once: "the connection was closed immediately",
  outbound_connection_refused: "the connection was refused",
  outbound_connection_closed: "the connection was closed before a response",
  outbound_connection_timed_out: "the connection timed out",
  outbound_host_unreachable: "the host is unreachable",
  outbound_network_unreachable: "the host's network is unreachable",
  outbound_no_connections_left: "this service has no free connections",
  outbound_headers_too_long: "the response headers are too long",
  outbound_certificate_expired: "the certificate has expired",
  outbound_certificate_not_yet_valid: "the certificate is not valid yet",
  outbound_certificate_other_name: "the certificate is for another name",
  outbound_certificate_self_signed: "the certificate is self-signed",
  outbound_certificate_not_trusted: "the certificate is issued by an untrusted authority",
  outbound_certificate_unverifiable:
    "the certificate cannot be verified: its intermediate is missing, or its authority is not trusted",
  outbound_not_http: "the response is not valid HTTP",
  outbound_tls_failed: "the TLS handshake failed",
  outbound_connection_failed: "the connection failed ({code})",
  outbound_unknown: "an unknown error occurred",
  outbound_redirect: "the response was a redirect (status {status}), which is not followed",
  outbound_status: "the response had status {status}",
  outbound_compressed: "the response is compressed ({encoding})",
  outbound_incomplete: "the response is too large or incomplete",
} as const;

/** Reasons why a notification or an email was not sent. */
export const deliveryProblems = {
  delivery_not_written: "the message could not be created; the log has the reason",
  account_mail_not_written: "the message could not be created",
  delivery_without_smtp: "this installation has no SMTP server (SMTP_URL)",
  delivery_mail_timeout: "the mail server timed out",
  delivery_mail_refused: 'the mail server responded "{response}"',
  delivery_mail_credentials: "the mail server refused the user name or password of SMTP_URL",
  delivery_mail_without_tls: "the mail server offers no TLS",
  delivery_mail_unreachable: "the mail server could not be reached: {reason}",
  delivery_telegram_status: "Telegram responded with {status}",
  delivery_telegram_refused: "Telegram responded with {status}: {description}",
  delivery_webhook_status: "the webhook responded with {status}",
} as const;

/** Reasons why a source of exchange rates is not used. */
export const rateSourceProblems = {
  rate_source_too_slow: "the response took too long",
  rate_source_not_json: "the response is not JSON",
  rate_source_without_number: "the response has no number above 0 at {path}",
  rate_source_without_numbers: "the response has no number above 0 at {path} and {timePath}",
} as const;
