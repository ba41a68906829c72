CREATE TABLE "account_cursors" (
	"network" text NOT NULL,
	"account" text NOT NULL,
	"slot" bigint NOT NULL,
	CONSTRAINT "account_cursors_network_account_pk" PRIMARY KEY("network","account")
);
--> statement-breakpoint
CREATE TABLE "account_letters" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"email" text NOT NULL,
	"facts" jsonb NOT NULL,
	"language" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "account_letters_kind_check" CHECK ("account_letters"."kind" in ('passwordReset', 'securityChanged'))
);
--> statement-breakpoint
CREATE TABLE "amount_windows" (
	"merchant_id" text NOT NULL,
	"address" text NOT NULL,
	"currency" text NOT NULL,
	"family" text NOT NULL,
	"window_number" bigint NOT NULL,
	"taken" bit(10000) NOT NULL,
	CONSTRAINT "amount_windows_merchant_id_address_currency_family_window_number_pk" PRIMARY KEY("merchant_id","address","currency","family","window_number")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"key_hash" text NOT NULL,
	"secret_cipher" text NOT NULL,
	"must_sign" boolean DEFAULT false NOT NULL,
	"opt_ins" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"rotated_to_id" text,
	"first_id" text,
	"scopes" text[] DEFAULT '{"orders:create","orders:read","orders:cancel","events:read"}' NOT NULL,
	"cidrs" text[] DEFAULT '{}' NOT NULL,
	"callback_format" text DEFAULT 'standard' NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"user_id" text,
	"order_id" text,
	"action" text NOT NULL,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_events_id_merchant_id_at_pk" PRIMARY KEY("id","merchant_id","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "blocks" (
	"network" text NOT NULL,
	"height" bigint NOT NULL,
	"hash" text NOT NULL,
	"parent_hash" text NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "blocks_network_height_pk" PRIMARY KEY("network","height")
);
--> statement-breakpoint
CREATE TABLE "callback_attempts" (
	"merchant_id" text NOT NULL,
	"callback_id" text NOT NULL,
	"number" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"dns_ms" integer,
	"connect_ms" integer,
	"tls_ms" integer,
	"first_byte_ms" integer,
	"http_status" integer,
	"error" text,
	"answer" text,
	"peer" text,
	CONSTRAINT "callback_attempts_callback_id_merchant_id_number_started_at_pk" PRIMARY KEY("callback_id","merchant_id","number","started_at")
) PARTITION BY RANGE ("started_at");
--> statement-breakpoint
CREATE TABLE "callback_origins" (
	"origin" text PRIMARY KEY NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"paused_until" timestamp (3) with time zone,
	"served_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"order_id" text NOT NULL,
	"type" text NOT NULL,
	"version" integer NOT NULL,
	"body" text NOT NULL,
	"position" bigserial NOT NULL,
	"number" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "events_id_merchant_id_pk" PRIMARY KEY("id","merchant_id")
);
--> statement-breakpoint
CREATE TABLE "event_counters" (
	"merchant_id" text PRIMARY KEY NOT NULL,
	"last" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "callbacks" (
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"order_id" text NOT NULL,
	"type" text NOT NULL,
	"url" text NOT NULL,
	"origin" text NOT NULL,
	"body" text NOT NULL,
	"webhook_id" text,
	"format" text DEFAULT 'standard' NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"series_attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"lease_owner" text,
	"lease_until" timestamp (3) with time zone,
	"last_http_status" integer,
	"delivered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "callbacks_id_merchant_id_pk" PRIMARY KEY("id","merchant_id"),
	CONSTRAINT "callbacks_status_check" CHECK ("callbacks"."status" in ('pending', 'delivered', 'failed')),
	CONSTRAINT "callbacks_next_attempt_check" CHECK (("callbacks"."status" = 'pending') = ("callbacks"."next_attempt_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "challenges" (
	"id" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "challenges_purpose_check" CHECK ("challenges"."purpose" in ('second_step', 'passkey_sign_in', 'passkey_add', 'passkey_confirm', 'password_reset'))
);
--> statement-breakpoint
CREATE TABLE "cursors" (
	"network" text PRIMARY KEY NOT NULL,
	"height" bigint,
	"hash" text,
	"block_time" timestamp (3) with time zone,
	"head_height" bigint,
	"head_time" timestamp (3) with time zone,
	"finalized_height" bigint,
	"block_ms" integer,
	"caught_up_at" timestamp (3) with time zone,
	"heard_at" timestamp (3) with time zone,
	"problem" text,
	"warning" text,
	"endpoints" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"watch_state" text DEFAULT 'awake' NOT NULL,
	"lease_owner" text,
	"lease_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "endpoint_calls" (
	"network" text NOT NULL,
	"endpoint" text NOT NULL,
	"day" date NOT NULL,
	"calls" bigint NOT NULL,
	"errors" bigint NOT NULL,
	CONSTRAINT "endpoint_calls_network_endpoint_day_pk" PRIMARY KEY("network","endpoint","day")
);
--> statement-breakpoint
CREATE TABLE "failing_rows" (
	"task" text NOT NULL,
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"network" text NOT NULL,
	"failures" integer NOT NULL,
	"first_failed_at" timestamp (3) with time zone NOT NULL,
	"retry_at" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "failing_rows_task_id_merchant_id_pk" PRIMARY KEY("task","id","merchant_id"),
	CONSTRAINT "failing_rows_task_check" CHECK ("failing_rows"."task" in ('match', 'confirm', 'expire', 'release', 'refund'))
);
--> statement-breakpoint
CREATE TABLE "family_addresses" (
	"family" text NOT NULL,
	"address" text NOT NULL,
	"merchant_id" text NOT NULL,
	CONSTRAINT "family_addresses_family_address_pk" PRIMARY KEY("family","address"),
	CONSTRAINT "family_addresses_owner_key" UNIQUE("family","address","merchant_id")
);
--> statement-breakpoint
CREATE TABLE "hourly_totals" (
	"merchant_id" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"network" text NOT NULL,
	"currency" text NOT NULL,
	"created" integer DEFAULT 0 NOT NULL,
	"converted" integer DEFAULT 0 NOT NULL,
	"paid" integer DEFAULT 0 NOT NULL,
	"paid_units" numeric(78, 0) DEFAULT 0 NOT NULL,
	"pay_seconds" bigint DEFAULT 0 NOT NULL,
	"callbacks" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "hourly_totals_merchant_id_hour_network_currency_pk" PRIMARY KEY("merchant_id","hour","network","currency")
);
--> statement-breakpoint
CREATE TABLE "total_cursors" (
	"counted" text PRIMARY KEY NOT NULL,
	"last_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"invited_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "invitations_role_check" CHECK ("invitations"."role" in ('owner', 'admin', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "lookups" (
	"merchant_id" text NOT NULL,
	"order_id" text NOT NULL,
	"network" text NOT NULL,
	"tx_id" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answer" jsonb,
	CONSTRAINT "lookups_order_id_merchant_id_network_pk" PRIMARY KEY("order_id","merchant_id","network")
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"merchant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "memberships_merchant_id_user_id_pk" PRIMARY KEY("merchant_id","user_id"),
	CONSTRAINT "memberships_role_check" CHECK ("memberships"."role" in ('owner', 'admin', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "merchant_checkouts" (
	"merchant_id" text PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"shown_name" text,
	"accent" text,
	"support_url" text,
	"frame_parents" text[] DEFAULT '{}' NOT NULL,
	"languages" text[] DEFAULT '{}' NOT NULL,
	"logo_url" text,
	"logo" text,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "merchant_checkouts_accent_check" CHECK ("merchant_checkouts"."accent" ~ '^#[0-9a-f]{6}$'),
	CONSTRAINT "merchant_checkouts_logo_check" CHECK (num_nonnulls("merchant_checkouts"."logo", "merchant_checkouts"."logo_url") in (0, 2)),
	CONSTRAINT "merchant_checkouts_logo_size_check" CHECK (length("merchant_checkouts"."logo") <= 2048)
);
--> statement-breakpoint
CREATE TABLE "merchant_networks" (
	"merchant_id" text NOT NULL,
	"network" text NOT NULL,
	"min_confirmations" integer,
	"min_seconds" integer,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "merchant_networks_merchant_id_network_pk" PRIMARY KEY("merchant_id","network"),
	CONSTRAINT "merchant_networks_min_confirmations_check" CHECK ("merchant_networks"."min_confirmations" > 0),
	CONSTRAINT "merchant_networks_min_seconds_check" CHECK ("merchant_networks"."min_seconds" > 0),
	CONSTRAINT "merchant_networks_one_check" CHECK (num_nonnulls("merchant_networks"."min_confirmations", "merchant_networks"."min_seconds") = 1)
);
--> statement-breakpoint
CREATE TABLE "merchant_prices" (
	"merchant_id" text NOT NULL,
	"fiat" text NOT NULL,
	"mode" text NOT NULL,
	"mark_up_basis_points" integer DEFAULT 0 NOT NULL,
	"fixed_rate" numeric(78, 0),
	"set_at" timestamp (3) with time zone,
	"used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "merchant_prices_merchant_id_fiat_pk" PRIMARY KEY("merchant_id","fiat"),
	CONSTRAINT "merchant_prices_mode_check" CHECK ("merchant_prices"."mode" in ('market', 'markup', 'fixed')),
	CONSTRAINT "merchant_prices_fixed_rate_check" CHECK ("merchant_prices"."fixed_rate" > 0),
	CONSTRAINT "merchant_prices_fixed_check" CHECK ("merchant_prices"."mode" <> 'fixed' or "merchant_prices"."fixed_rate" is not null),
	CONSTRAINT "merchant_prices_mark_up_check" CHECK ("merchant_prices"."mark_up_basis_points" between 0 and 5000)
);
--> statement-breakpoint
CREATE TABLE "merchants" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"expires_in_seconds" integer DEFAULT 1800 NOT NULL,
	"late_window_seconds" integer DEFAULT 10800 NOT NULL,
	"price_decimals" integer DEFAULT 2 NOT NULL,
	"least_micro" bigint,
	"most_micro" bigint,
	"off_methods" text[] DEFAULT '{}' NOT NULL,
	"tolerance_basis_points" integer,
	"tolerance_micro" bigint,
	"settled_hold_seconds" integer DEFAULT 3600 NOT NULL,
	"unpaid_days" integer,
	"asks_second_factor" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "merchants_expires_in_check" CHECK ("merchants"."expires_in_seconds" between 300 and 86400),
	CONSTRAINT "merchants_late_window_check" CHECK ("merchants"."late_window_seconds" between 0 and 2592000),
	CONSTRAINT "merchants_price_decimals_check" CHECK ("merchants"."price_decimals" between 0 and 6),
	CONSTRAINT "merchants_amounts_check" CHECK ("merchants"."least_micro" > 0 and "merchants"."most_micro" >= coalesce("merchants"."least_micro", 1)),
	CONSTRAINT "merchants_tolerance_check" CHECK ("merchants"."tolerance_basis_points" between 1 and 1000 and "merchants"."tolerance_micro" > 0),
	CONSTRAINT "merchants_settled_hold_check" CHECK ("merchants"."settled_hold_seconds" between 600 and 2592000),
	CONSTRAINT "merchants_unpaid_days_check" CHECK ("merchants"."unpaid_days" between 90 and 3650)
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"api_key_id" text,
	"mch_order_id" text NOT NULL,
	"checkout" jsonb,
	"network" text,
	"currency" text,
	"amount_units" numeric(78, 0),
	"price" jsonb,
	"quote_id" text,
	"status" text NOT NULL,
	"exception" text,
	"version" integer DEFAULT 1 NOT NULL,
	"paid_units" numeric(78, 0) DEFAULT 0 NOT NULL,
	"settled_by_transfer_id" text,
	"notify_url" text,
	"redirect_url" text,
	"locale" text,
	"subject" text,
	"metadata" text,
	"dialect" text DEFAULT 'api' NOT NULL,
	"echo" jsonb,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"extensions" integer DEFAULT 0 NOT NULL,
	"expiring_at" timestamp (3) with time zone GENERATED ALWAYS AS (case when status = 'pending' then expires_at end) STORED,
	"created_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"paid_at" timestamp (3) with time zone,
	CONSTRAINT "orders_id_merchant_id_pk" PRIMARY KEY("id","merchant_id"),
	CONSTRAINT "orders_status_check" CHECK ("orders"."status" in ('pending', 'confirming', 'paid', 'expired', 'cancelled')),
	CONSTRAINT "orders_exception_check" CHECK ("orders"."exception" in ('underpaid', 'overpaid', 'late', 'manual')),
	CONSTRAINT "orders_amount_check" CHECK ("orders"."amount_units" > 0),
	CONSTRAINT "orders_chosen_check" CHECK (num_nulls("orders"."network", "orders"."currency", "orders"."amount_units", "orders"."quote_id") = case when "orders"."quote_id" is null and "orders"."checkout" is not null then 4 else 0 end),
	CONSTRAINT "orders_dialect_check" CHECK ("orders"."dialect" in ('api', 'epay', 'epusdt', 'greenfield')),
	CONSTRAINT "orders_echo_check" CHECK (("orders"."dialect" = 'api') = ("orders"."echo" is null)),
	CONSTRAINT "orders_paid_check" CHECK (("orders"."status" = 'paid') = ("orders"."paid_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "plugin_keys" (
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"dialect" text NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"shown" text NOT NULL,
	"key_cipher" text,
	"token_hash" text,
	"permissions" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	CONSTRAINT "plugin_keys_id_merchant_id_pk" PRIMARY KEY("id","merchant_id"),
	CONSTRAINT "plugin_keys_one_check" CHECK (num_nonnulls("plugin_keys"."key_cipher", "plugin_keys"."token_hash") = 1)
);
--> statement-breakpoint
CREATE TABLE "plugin_webhooks" (
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"dialect" text NOT NULL,
	"url" text NOT NULL,
	"secret_cipher" text NOT NULL,
	"events" text[] DEFAULT '{}' NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"is_redelivered" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "plugin_webhooks_id_merchant_id_pk" PRIMARY KEY("id","merchant_id")
);
--> statement-breakpoint
CREATE TABLE "plugins" (
	"merchant_id" text NOT NULL,
	"dialect" text NOT NULL,
	"public_id" text NOT NULL,
	"is_on" boolean NOT NULL,
	"takes_key_in_url" boolean DEFAULT true NOT NULL,
	"expiration" text DEFAULT 'remaining' NOT NULL,
	"fiat" text DEFAULT 'CNY',
	"created_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "plugins_merchant_id_dialect_pk" PRIMARY KEY("merchant_id","dialect"),
	CONSTRAINT "plugins_dialect_check" CHECK ("plugins"."dialect" in ('epay', 'epusdt', 'greenfield')),
	CONSTRAINT "plugins_expiration_check" CHECK ("plugins"."expiration" in ('remaining', 'unix'))
);
--> statement-breakpoint
CREATE TABLE "quotes" (
	"merchant_id" text NOT NULL,
	"order_id" text NOT NULL,
	"id" text NOT NULL,
	"receiving_address_id" text NOT NULL,
	"network" text NOT NULL,
	"family" text NOT NULL,
	"currency" text NOT NULL,
	"token" text NOT NULL,
	"address" text NOT NULL,
	"kind" text NOT NULL,
	"base_units" numeric(78, 0) NOT NULL,
	"micro_units" bigint NOT NULL,
	"asked_units" numeric(78, 0),
	"price" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"reserved_until" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone,
	"superseded_at" timestamp (3) with time zone,
	CONSTRAINT "quotes_order_id_merchant_id_id_pk" PRIMARY KEY("order_id","merchant_id","id"),
	CONSTRAINT "quotes_kind_check" CHECK ("quotes"."kind" in ('shared', 'dedicated')),
	CONSTRAINT "quotes_base_units_check" CHECK ("quotes"."base_units" > 0),
	CONSTRAINT "quotes_asked_check" CHECK (case when "quotes"."asked_units" is null then "quotes"."price" is null else "quotes"."asked_units" <= "quotes"."base_units" end),
	CONSTRAINT "quotes_released_check" CHECK ("quotes"."released_at" is null or "quotes"."released_at" >= "quotes"."reserved_until" + interval '2 minutes')
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"full_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_readings" (
	"source" text NOT NULL,
	"asset" text NOT NULL,
	"fiat" text NOT NULL,
	"rate" numeric(78, 0) NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "rate_readings_source_asset_fiat_pk" PRIMARY KEY("source","asset","fiat")
);
--> statement-breakpoint
CREATE TABLE "rate_sources" (
	"source" text PRIMARY KEY NOT NULL,
	"asked_for" text NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"lease_owner" text,
	"lease_until" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"failure" text,
	"warning" text
);
--> statement-breakpoint
CREATE TABLE "receiving_addresses" (
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"network" text NOT NULL,
	"family" text NOT NULL,
	"address" text NOT NULL,
	"kind" text NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"mac" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	"rests_until" timestamp (3) with time zone DEFAULT 'epoch' NOT NULL,
	CONSTRAINT "receiving_addresses_id_merchant_id_pk" PRIMARY KEY("id","merchant_id"),
	CONSTRAINT "receiving_addresses_kind_check" CHECK ("receiving_addresses"."kind" in ('shared', 'dedicated'))
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" text NOT NULL,
	"code_hash" text NOT NULL,
	CONSTRAINT "recovery_codes_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"merchant_id" text NOT NULL,
	"transfer_id" text NOT NULL,
	"network" text NOT NULL,
	"tx_id" text NOT NULL,
	"noted_by" text NOT NULL,
	"noted_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"said" text,
	"look_at" timestamp (3) with time zone,
	"to_address" text,
	"moved_units" numeric(78, 0),
	"base_units" numeric(78, 0),
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "refunds_transfer_id_merchant_id_tx_id_pk" PRIMARY KEY("transfer_id","merchant_id","tx_id"),
	CONSTRAINT "refunds_state_check" CHECK ("refunds"."state" in ('open', 'final', 'refused', 'never')),
	CONSTRAINT "refunds_final_check" CHECK ("refunds"."state" <> 'final' or ("refunds"."base_units" > 0 and "refunds"."sent_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "request_ids" (
	"api_key_id" text NOT NULL,
	"request_id" text NOT NULL,
	"forget_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "request_ids_api_key_id_request_id_pk" PRIMARY KEY("api_key_id","request_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"merchant_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"network" text NOT NULL,
	"browser" text NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"strong_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"public_key" text NOT NULL,
	"private_cipher" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone,
	CONSTRAINT "signing_keys_state_check" CHECK ("signing_keys"."state" in ('current', 'next', 'retired')),
	CONSTRAINT "signing_keys_ends_at_check" CHECK (("signing_keys"."state" = 'retired') = ("signing_keys"."ends_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"network" text NOT NULL,
	"tx_id" text NOT NULL,
	"position" text NOT NULL,
	"currency" text,
	"token" text NOT NULL,
	"from_address" text NOT NULL,
	"to_address" text NOT NULL,
	"base_units" numeric(78, 0) NOT NULL,
	"block_height" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"block_time" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"receiving_address_id" text NOT NULL,
	"quote_id" text,
	"order_id" text,
	"is_assigned" boolean DEFAULT false NOT NULL,
	"meant_order_id" text,
	"unmatched_reason" text,
	"matched_at" timestamp (3) with time zone,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"confirmations" integer,
	"contradiction" jsonb,
	"lost_at" timestamp (3) with time zone,
	"lost_acknowledged_at" timestamp (3) with time zone,
	CONSTRAINT "transfers_id_merchant_id_pk" PRIMARY KEY("id","merchant_id"),
	CONSTRAINT "transfers_status_check" CHECK ("transfers"."status" in ('seen', 'confirmed', 'dropped')),
	CONSTRAINT "transfers_base_units_check" CHECK ("transfers"."base_units" > 0),
	CONSTRAINT "transfers_look_alike_check" CHECK ("transfers"."currency" is not null or ("transfers"."quote_id" is null and "transfers"."order_id" is null))
);
--> statement-breakpoint
CREATE TABLE "unreadable_transactions" (
	"merchant_id" text NOT NULL,
	"network" text NOT NULL,
	"tx_id" text NOT NULL,
	"account" text NOT NULL,
	"receiving_address_id" text NOT NULL,
	"slot" bigint NOT NULL,
	"reason" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"tried_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	CONSTRAINT "unreadable_transactions_network_tx_id_account_merchant_id_pk" PRIMARY KEY("network","tx_id","account","merchant_id")
);
--> statement-breakpoint
CREATE TABLE "used_order_numbers" (
	"merchant_id" text NOT NULL,
	"mch_order_id" text NOT NULL,
	"dialect" text DEFAULT 'api' NOT NULL,
	"order_id" text NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL,
	"is_pruned" boolean DEFAULT false NOT NULL,
	CONSTRAINT "used_order_numbers_merchant_id_mch_order_id_dialect_pk" PRIMARY KEY("merchant_id","mch_order_id","dialect")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"name" text,
	"is_operator" boolean DEFAULT false NOT NULL,
	"totp_sealed" text,
	"totp_since" timestamp (3) with time zone,
	"totp_step" bigint,
	"language" text DEFAULT 'en' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "users_email_check" CHECK ("users"."email" = lower("users"."email"))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_rotated_to_id_api_keys_id_fk" FOREIGN KEY ("rotated_to_id") REFERENCES "api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_first_id_api_keys_id_fk" FOREIGN KEY ("first_id") REFERENCES "api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_order_fk" FOREIGN KEY ("order_id","merchant_id") REFERENCES "orders"("id","merchant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_order_fk" FOREIGN KEY ("order_id","merchant_id") REFERENCES "orders"("id","merchant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "failing_rows" ADD CONSTRAINT "failing_rows_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "family_addresses" ADD CONSTRAINT "family_addresses_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_checkouts" ADD CONSTRAINT "merchant_checkouts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_networks" ADD CONSTRAINT "merchant_networks_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_prices" ADD CONSTRAINT "merchant_prices_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plugin_keys" ADD CONSTRAINT "plugin_keys_plugin_fk" FOREIGN KEY ("merchant_id","dialect") REFERENCES "plugins"("merchant_id","dialect") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plugin_webhooks" ADD CONSTRAINT "plugin_webhooks_plugin_fk" FOREIGN KEY ("merchant_id","dialect") REFERENCES "plugins"("merchant_id","dialect") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plugins" ADD CONSTRAINT "plugins_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receiving_addresses" ADD CONSTRAINT "receiving_addresses_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receiving_addresses" ADD CONSTRAINT "receiving_addresses_owner_fk" FOREIGN KEY ("family","address","merchant_id") REFERENCES "family_addresses"("family","address","merchant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_ids" ADD CONSTRAINT "request_ids_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "challenges" ADD CONSTRAINT "challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_transfer_fk" FOREIGN KEY ("transfer_id","merchant_id") REFERENCES "transfers"("id","merchant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_address_fk" FOREIGN KEY ("receiving_address_id","merchant_id") REFERENCES "receiving_addresses"("id","merchant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_order_fk" FOREIGN KEY ("order_id","merchant_id") REFERENCES "orders"("id","merchant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_quote_fk" FOREIGN KEY ("order_id","merchant_id","quote_id") REFERENCES "quotes"("order_id","merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_meant_order_fk" FOREIGN KEY ("meant_order_id","merchant_id") REFERENCES "orders"("id","merchant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unreadable_transactions" ADD CONSTRAINT "unreadable_transactions_address_fk" FOREIGN KEY ("receiving_address_id","merchant_id") REFERENCES "receiving_addresses"("id","merchant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_letters_due_idx" ON "account_letters" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "account_letters_email_idx" ON "account_letters" USING btree ("email","kind");--> statement-breakpoint
CREATE INDEX "account_letters_created_at_idx" ON "account_letters" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_default_key" ON "api_keys" USING btree ("merchant_id") WHERE "api_keys"."is_default";--> statement-breakpoint
CREATE INDEX "api_keys_merchant_id_idx" ON "api_keys" USING btree ("merchant_id","created_at");--> statement-breakpoint
CREATE INDEX "api_keys_opt_ins_idx" ON "api_keys" USING btree ("merchant_id") WHERE "api_keys"."opt_ins" <> '{}';--> statement-breakpoint
CREATE INDEX "audit_events_merchant_id_idx" ON "audit_events" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "audit_events_order_id_idx" ON "audit_events" USING btree ("order_id","merchant_id","id") WHERE "audit_events"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_events_user_id_idx" ON "audit_events" USING btree ("merchant_id","user_id","id") WHERE "audit_events"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_events_no_order_idx" ON "audit_events" USING btree ("merchant_id","id") WHERE "audit_events"."order_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "events_change_key" ON "events" USING btree ("order_id","type","version","merchant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "events_number_key" ON "events" USING btree ("merchant_id","number");--> statement-breakpoint
CREATE INDEX "events_unnumbered_idx" ON "events" USING btree ("merchant_id","position") WHERE "events"."number" is null;--> statement-breakpoint
CREATE INDEX "callbacks_order_id_idx" ON "callbacks" USING btree ("order_id","type","merchant_id","id");--> statement-breakpoint
CREATE INDEX "callbacks_due_idx" ON "callbacks" USING btree ("origin","next_attempt_at") WHERE "callbacks"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "callbacks_due_time_idx" ON "callbacks" USING btree ("next_attempt_at") WHERE "callbacks"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "callbacks_in_flight_idx" ON "callbacks" USING btree ("origin","lease_until") WHERE "callbacks"."lease_until" is not null;--> statement-breakpoint
CREATE INDEX "callbacks_merchant_id_idx" ON "callbacks" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "callbacks_failed_idx" ON "callbacks" USING btree ("merchant_id","created_at") WHERE "callbacks"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "failing_rows_merchant_id_idx" ON "failing_rows" USING btree ("merchant_id");--> statement-breakpoint
CREATE INDEX "merchant_networks_network_idx" ON "merchant_networks" USING btree ("network","min_confirmations");--> statement-breakpoint
CREATE INDEX "merchant_prices_market_idx" ON "merchant_prices" USING btree ("fiat","used_at") WHERE "merchant_prices"."mode" <> 'fixed';--> statement-breakpoint
CREATE UNIQUE INDEX "orders_merchant_id_mch_order_id_key" ON "orders" USING btree ("merchant_id","mch_order_id" text_pattern_ops,"dialect");--> statement-breakpoint
CREATE INDEX "orders_merchant_id_id_idx" ON "orders" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "orders_expiring_idx" ON "orders" USING btree ("network","expiring_at") WHERE "orders"."expiring_at" is not null;--> statement-breakpoint
CREATE INDEX "orders_dialect_idx" ON "orders" USING btree ("merchant_id","dialect","id") WHERE "orders"."dialect" <> 'api';--> statement-breakpoint
CREATE INDEX "orders_exception_idx" ON "orders" USING btree ("merchant_id","exception","id") WHERE "orders"."exception" is not null;--> statement-breakpoint
CREATE INDEX "lookups_open_idx" ON "lookups" USING btree ("network","asked_at") WHERE "lookups"."answer" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "plugin_keys_token_hash_key" ON "plugin_keys" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "plugin_keys_plugin_idx" ON "plugin_keys" USING btree ("merchant_id","dialect","created_at");--> statement-breakpoint
CREATE INDEX "plugin_webhooks_plugin_idx" ON "plugin_webhooks" USING btree ("merchant_id","dialect","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "plugins_public_id_key" ON "plugins" USING btree ("public_id");--> statement-breakpoint
CREATE UNIQUE INDEX "quotes_live_amount_key" ON "quotes" USING btree ("merchant_id","address","micro_units","currency","family") WHERE "quotes"."released_at" is null and "quotes"."kind" = 'shared';--> statement-breakpoint
CREATE UNIQUE INDEX "quotes_live_dedicated_key" ON "quotes" USING btree ("merchant_id","address","family") WHERE "quotes"."released_at" is null and "quotes"."kind" = 'dedicated';--> statement-breakpoint
CREATE INDEX "quotes_dedicated_idx" ON "quotes" USING btree ("receiving_address_id","created_at") WHERE "quotes"."kind" = 'dedicated';--> statement-breakpoint
CREATE INDEX "quotes_address_idx" ON "quotes" USING btree ("receiving_address_id","base_units");--> statement-breakpoint
CREATE INDEX "quotes_switched_idx" ON "quotes" USING btree ("network") WHERE "quotes"."asked_units" is not null and "quotes"."released_at" is null;--> statement-breakpoint
CREATE INDEX "quotes_reserved_until_idx" ON "quotes" USING btree ("reserved_until") WHERE "quotes"."released_at" is null;--> statement-breakpoint
CREATE INDEX "rate_limits_full_at_idx" ON "rate_limits" USING btree ("full_at");--> statement-breakpoint
CREATE UNIQUE INDEX "receiving_addresses_network_address_key" ON "receiving_addresses" USING btree ("merchant_id","network","address");--> statement-breakpoint
CREATE INDEX "receiving_addresses_address_idx" ON "receiving_addresses" USING btree ("address");--> statement-breakpoint
CREATE INDEX "receiving_addresses_offer_idx" ON "receiving_addresses" USING btree ("merchant_id","network","kind","created_at") WHERE "receiving_addresses"."paused_at" is null and "receiving_addresses"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "receiving_addresses_idle_idx" ON "receiving_addresses" USING btree ("merchant_id","network","rests_until") WHERE "receiving_addresses"."kind" = 'dedicated' and "receiving_addresses"."paused_at" is null and "receiving_addresses"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "request_ids_forget_at_idx" ON "request_ids" USING btree ("forget_at");--> statement-breakpoint
CREATE UNIQUE INDEX "signing_keys_state_key" ON "signing_keys" USING btree ("state") WHERE "signing_keys"."state" <> 'retired';--> statement-breakpoint
CREATE INDEX "refunds_open_idx" ON "refunds" USING btree ("network","look_at") WHERE "refunds"."look_at" is not null;--> statement-breakpoint
CREATE INDEX "refunds_tx_idx" ON "refunds" USING btree ("merchant_id","network","tx_id");--> statement-breakpoint
CREATE INDEX "refunds_sent_idx" ON "refunds" USING btree ("merchant_id","sent_at") WHERE "refunds"."state" = 'final';--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_identity_key" ON "transfers" USING btree ("network","tx_id","position","merchant_id");--> statement-breakpoint
CREATE INDEX "transfers_order_id_idx" ON "transfers" USING btree ("order_id","merchant_id");--> statement-breakpoint
CREATE INDEX "transfers_meant_order_id_idx" ON "transfers" USING btree ("meant_order_id","merchant_id") WHERE "transfers"."meant_order_id" is not null;--> statement-breakpoint
CREATE INDEX "transfers_merchant_id_idx" ON "transfers" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "transfers_from_address_idx" ON "transfers" USING btree ("merchant_id","from_address","id");--> statement-breakpoint
CREATE INDEX "transfers_to_address_idx" ON "transfers" USING btree ("merchant_id","to_address","id");--> statement-breakpoint
CREATE INDEX "transfers_block_time_idx" ON "transfers" USING btree ("merchant_id","block_time","id");--> statement-breakpoint
CREATE INDEX "transfers_open_idx" ON "transfers" USING btree ("network","block_height") WHERE "transfers"."status" = 'seen';--> statement-breakpoint
CREATE INDEX "transfers_height_idx" ON "transfers" USING btree ("network","block_height");--> statement-breakpoint
CREATE INDEX "transfers_unmatched_idx" ON "transfers" USING btree ("merchant_id","id") WHERE "transfers"."unmatched_reason" is not null and "transfers"."status" <> 'dropped';--> statement-breakpoint
CREATE INDEX "transfers_to_match_idx" ON "transfers" USING btree ("network","id") WHERE "transfers"."matched_at" is null;--> statement-breakpoint
CREATE INDEX "transfers_lost_idx" ON "transfers" USING btree ("merchant_id") WHERE "transfers"."lost_at" is not null and "transfers"."lost_acknowledged_at" is null;--> statement-breakpoint
CREATE INDEX "transfers_contradicted_idx" ON "transfers" USING btree ("merchant_id") WHERE "transfers"."contradiction" is not null;--> statement-breakpoint
CREATE INDEX "unreadable_transactions_waiting_idx" ON "unreadable_transactions" USING btree ("network","tried_at") WHERE "unreadable_transactions"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "unreadable_transactions_merchant_id_idx" ON "unreadable_transactions" USING btree ("merchant_id") WHERE "unreadable_transactions"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "used_order_numbers_waiting_idx" ON "used_order_numbers" USING btree ("used_at") WHERE not "used_order_numbers"."is_pruned";--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "invitations_merchant_id_idx" ON "invitations" USING btree ("merchant_id","created_at");--> statement-breakpoint
CREATE INDEX "invitations_expires_at_idx" ON "invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "memberships_user_id_idx" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "challenges_created_at_idx" ON "challenges" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "challenges_user_id_idx" ON "challenges" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "passkeys_user_id_idx" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user_id_idx" ON "sessions" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "sessions_created_at_idx" ON "sessions" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree ("email");--> statement-breakpoint
CREATE TABLE "notification_channels" (
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"way" text NOT NULL,
	"shown" text NOT NULL,
	"target_cipher" text NOT NULL,
	"language" text NOT NULL,
	"time_zone" text NOT NULL,
	"report_hour" integer NOT NULL,
	"code_hash" text,
	"code_expires_at" timestamp (3) with time zone,
	"verified_at" timestamp (3) with time zone,
	"problem" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notification_channels_id_merchant_id_pk" PRIMARY KEY("id","merchant_id"),
	CONSTRAINT "notification_channels_way_check" CHECK ("notification_channels"."way" in ('email', 'telegram', 'webhook')),
	CONSTRAINT "notification_channels_report_hour_check" CHECK ("notification_channels"."report_hour" between 0 and 23)
);
--> statement-breakpoint
CREATE TABLE "notification_choices" (
	"merchant_id" text NOT NULL,
	"channel_id" text NOT NULL,
	"kind" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notification_choices_merchant_id_channel_id_kind_pk" PRIMARY KEY("merchant_id","channel_id","kind")
);
--> statement-breakpoint
CREATE TABLE "notification_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"read_to" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"channel_id" text NOT NULL,
	"kind" text NOT NULL,
	"fact_key" text NOT NULL,
	"facts" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone,
	"message_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	CONSTRAINT "notifications_id_merchant_id_pk" PRIMARY KEY("id","merchant_id"),
	CONSTRAINT "notifications_due_check" CHECK (num_nonnulls("notifications"."due_at", "notifications"."sent_at", "notifications"."failed_at") = 1)
);
--> statement-breakpoint
ALTER TABLE "notification_channels" ADD CONSTRAINT "notification_channels_member_fk" FOREIGN KEY ("merchant_id","user_id") REFERENCES "memberships"("merchant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_choices" ADD CONSTRAINT "notification_choices_channel_fk" FOREIGN KEY ("channel_id","merchant_id") REFERENCES "notification_channels"("id","merchant_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_channel_fk" FOREIGN KEY ("channel_id","merchant_id") REFERENCES "notification_channels"("id","merchant_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notification_channels_person_idx" ON "notification_channels" USING btree ("merchant_id","user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_fact_key" ON "notifications" USING btree ("merchant_id","channel_id","kind","fact_key");--> statement-breakpoint
CREATE INDEX "notifications_due_idx" ON "notifications" USING btree ("due_at") WHERE "notifications"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "notifications_sent_idx" ON "notifications" USING btree ("merchant_id","channel_id","kind","sent_at") WHERE "notifications"."sent_at" is not null;--> statement-breakpoint
CREATE INDEX "notifications_created_at_idx" ON "notifications" USING btree ("created_at");--> statement-breakpoint
CREATE TABLE "address_balances" (
	"merchant_id" text NOT NULL,
	"network" text NOT NULL,
	"address" text NOT NULL,
	"token" text NOT NULL,
	"currency" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"is_due" boolean NOT NULL,
	"said" text,
	"tried_at" timestamp (3) with time zone,
	"contradiction" jsonb,
	"balance_units" numeric(78, 0),
	"height" bigint,
	"read_at" timestamp (3) with time zone,
	"in_units" numeric(78, 0),
	"back_units" numeric(78, 0),
	CONSTRAINT "address_balances_merchant_id_network_address_token_pk" PRIMARY KEY("merchant_id","network","address","token"),
	CONSTRAINT "address_balances_said_check" CHECK ("address_balances"."said" in ('read', 'silent', 'unknown', 'contradicted')),
	CONSTRAINT "address_balances_read_check" CHECK (num_nulls("address_balances"."balance_units", "address_balances"."height", "address_balances"."read_at") in (0, 3)),
	CONSTRAINT "address_balances_counted_check" CHECK (num_nulls("address_balances"."in_units", "address_balances"."back_units") in (0, 2))
);
--> statement-breakpoint
CREATE INDEX "address_balances_due_idx" ON "address_balances" USING btree ("network","asked_at") WHERE "address_balances"."is_due";--> statement-breakpoint
CREATE INDEX "address_balances_uncounted_idx" ON "address_balances" USING btree ("network","height") WHERE "address_balances"."read_at" is not null and "address_balances"."in_units" is null;--> statement-breakpoint
-- What drizzle cannot say. Months of their own are made ahead by the worker; what no month takes lands here.
CREATE TABLE "audit_events_default" PARTITION OF "audit_events" DEFAULT;
--> statement-breakpoint
CREATE TABLE "callback_attempts_default" PARTITION OF "callback_attempts" DEFAULT;
--> statement-breakpoint
-- Rows that change leave room on their page for their next version, and are swept long before a fifth of a big table is dead.
ALTER TABLE "orders" SET (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
--> statement-breakpoint
ALTER TABLE "quotes" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
--> statement-breakpoint
ALTER TABLE "transfers" SET (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
--> statement-breakpoint
ALTER TABLE "callbacks" SET (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
--> statement-breakpoint
ALTER TABLE "amount_windows" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
ALTER TABLE "cursors" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100);
--> statement-breakpoint
ALTER TABLE "hourly_totals" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
ALTER TABLE "rate_limits" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
ALTER TABLE "callback_origins" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
