import type { ProblemCode } from "@/lib/domain/problems/problem";

/** The codes in the envelope of the API. */
export const API_CODES = [10001, 10002, 10003, 10004, 10005, 10006, 10099] as const;
export type ApiCode = (typeof API_CODES)[number];

/**
 * The problems with code 10006 that are outages: of the database, of a network, of the rate sources, of this service. The same request can
 * succeed later without any action by the shop.
 */
const OUTAGES = [
  "deadline_exceeded",
  "queue_full",
  "database_unreachable",
  "database_busy",
  "order_being_withdrawn",
  "order_address_changed",
  "network_unavailable",
  "network_not_taking_orders",
  "networks_not_taking_orders",
  "addresses_unverifiable",
  "address_changed",
  "new_price_without_rate",
  "rate_missing",
  "network_closed_to_deposits",
  "choice_without_rate",
  "service_away_for_payer",
  "too_many_streams",
  "page_order_unreadable",
  "page_order_not_verified",
  "page_deposit_unreadable",
  "page_refund_unreadable",
  "public_keys_unreadable",
] as const satisfies readonly ProblemCode[];

/**
 * The problems with code 10006 that are not outages: the shop has too few or no usable receiving addresses, or does not offer a method, or an
 * order was changed too often. Protocols with a status of their own for refusals use it for these.
 */
const REFUSALS = [
  "amounts_reserved",
  "amount_reserved",
  "new_amount_reserved",
  "new_method_not_offered",
  "deposit_address_none_free",
  "deposit_address_paused",
  "choice_amount_reserved",
  "choice_not_offered",
  "choice_changed_too_often",
  "choice_changed_too_fast",
] as const satisfies readonly ProblemCode[];

/** The problems with a code other than 10001, which stands for an invalid request. */
const PROBLEMS: Readonly<Record<Exclude<ApiCode, 10001>, readonly ProblemCode[]>> = {
  10002: [
    "api_key_missing",
    "api_key_unknown",
    "api_key_dead",
    "api_keys_differ",
    "api_key_lacks_scope",
    "api_key_wrong_address",
    "api_key_not_for_agents",
    "api_key_signs_requests",
    "signature_required",
    "signature_incomplete",
    "signature_id_malformed",
    "signature_id_used",
    "signature_timestamp_malformed",
    "signature_too_old",
    "signature_too_new",
    "signature_mismatch",
    "integration_off",
    "token_missing",
    "token_unknown",
    "plugin_signature_mismatch",
    "plugin_sign_mismatch",
    "plugin_key_in_url",
    "sign_type_not_rsa",
    "timestamp_too_far",
    "signature_of_other_path",
  ],
  10003: [
    "order_not_found",
    "refund_not_found",
    "link_not_found",
    "refund_transfer_unknown",
    "claim_unknown",
    "shop_order_unknown",
    "trade_id_unknown",
    "own_trade_id_unknown",
    "invoice_not_found",
    "pull_payment_not_found",
    "payout_not_found",
    "payout_approved_by_user",
    "refund_method_unknown",
    "webhook_not_found",
    "delivery_not_found",
    "store_not_found",
    "nothing_at_path",
    "nothing_at_store_path",
    "plugin_path_unknown",
    "page_order_not_found",
    "page_deposit_not_found",
    "page_refund_not_found",
    "token_lacks_permission",
  ],
  10004: [
    "api_key_not_for_plugin",
    "order_number_used",
    "order_number_used_and_deleted",
    "order_terms_differ",
    "order_unknown",
    "order_paid",
    "order_not_cancellable_paid",
    "order_not_cancellable_confirming",
    "order_not_cancellable_transfer",
    "order_not_cancellable_amount",
    "order_not_cancellable_refunds",
    "order_expired",
    "order_cancelled",
    "order_cancel_refused",
    "order_changed_too_often",
    "order_number_paid",
    "order_number_paid_use_new",
    "order_number_closed",
    "choice_closed",
    "refund_unknown",
    "refund_order_unpaid",
    "refund_number_used",
    "refund_terms_differ",
    "link_terms_differ",
    "refunds_too_many",
    "refund_nothing_left",
    "refund_too_large",
    "refund_too_large_in_tokens",
    "refund_not_claimed",
    "refund_network_unavailable",
    "refund_address_own",
    "refund_claim_changed",
    "refund_exceeds_payment",
    "refund_already_sent",
    "refund_expired",
    "refund_cancel_refused",
    "pull_payment_archived",
    "payout_needs_page",
    "payout_completed_by_transfer",
    "claim_used",
    "claim_expired",
    "lookup_without_method",
    "too_many_webhooks",
  ],
  10005: [
    "claim_too_often",
    "too_many_failures",
    "too_many_creates",
    "too_many_reads",
    "too_many_views",
    "too_many_streams_of_address",
    "lookups_too_often",
  ],
  10006: [...OUTAGES, ...REFUSALS],
  10099: ["internal_error"],
};

const CODES: ReadonlyMap<ProblemCode, ApiCode> = new Map(
  API_CODES.flatMap((code) => (code === 10001 ? [] : PROBLEMS[code].map((name) => [name, code] as const))),
);

/** Returns the API code for a problem: 10001, an invalid request, unless the table specifies a different code. */
export function apiCodeOf(code: ProblemCode): ApiCode {
  return CODES.get(code) ?? 10001;
}

const OUTAGE_CODES: ReadonlySet<ProblemCode> = new Set(OUTAGES);

/** Returns true if a problem is an outage, so that the same request can succeed later. */
export function isOutage(code: ProblemCode): boolean {
  return OUTAGE_CODES.has(code);
}
