CREATE TABLE "merchant_refunds" (
	"merchant_id" text PRIMARY KEY NOT NULL,
	"claim_check" text NOT NULL,
	"networks" text[] NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "merchant_refunds_claim_check_check" CHECK ("merchant_refunds"."claim_check" in ('none', 'order_number', 'email'))
);
--> statement-breakpoint
CREATE TABLE "refund_requests" (
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"order_id" text,
	"transfer_id" text,
	"api_key_id" text,
	"requested_by" text,
	"mch_refund_id" text,
	"integration" text DEFAULT 'api' NOT NULL,
	"currency" text NOT NULL,
	"micro_units" bigint NOT NULL,
	"price" jsonb,
	"reason" text,
	"email" text,
	"status" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"network" text,
	"family" text,
	"address" text,
	"claimed_at" timestamp (3) with time zone,
	"approved_at" timestamp (3) with time zone,
	"approved_by" text,
	"token" text,
	"base_units" numeric(78, 0),
	"ended_at" timestamp (3) with time zone,
	"ended_reason" text,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "refund_requests_id_merchant_id_pk" PRIMARY KEY("id","merchant_id"),
	CONSTRAINT "refund_requests_subject_check" CHECK (num_nonnulls("refund_requests"."order_id", "refund_requests"."transfer_id") = 1),
	CONSTRAINT "refund_requests_status_check" CHECK ("refund_requests"."status" in ('requested', 'claimed', 'approved', 'sent', 'completed', 'cancelled', 'expired')),
	CONSTRAINT "refund_requests_amount_check" CHECK ("refund_requests"."micro_units" > 0),
	CONSTRAINT "refund_requests_claim_check" CHECK ("refund_requests"."status" in ('requested', 'expired', 'cancelled') or num_nulls("refund_requests"."network", "refund_requests"."family", "refund_requests"."address", "refund_requests"."claimed_at") = 0),
	CONSTRAINT "refund_requests_approval_check" CHECK ("refund_requests"."status" not in ('approved', 'sent', 'completed') or num_nulls("refund_requests"."approved_at", "refund_requests"."token", "refund_requests"."base_units") = 0)
);
--> statement-breakpoint
CREATE TABLE "refund_transfers" (
	"network" text NOT NULL,
	"tx_id" text NOT NULL,
	"position" text NOT NULL,
	"currency" text NOT NULL,
	"token" text NOT NULL,
	"from_address" text NOT NULL,
	"to_address" text NOT NULL,
	"family" text NOT NULL,
	"base_units" numeric(78, 0) NOT NULL,
	"block_height" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"block_time" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"refund_id" text,
	"merchant_id" text,
	"problem" text,
	"matched_at" timestamp (3) with time zone,
	"look_at" timestamp (3) with time zone,
	CONSTRAINT "refund_transfers_network_tx_id_position_pk" PRIMARY KEY("network","tx_id","position"),
	CONSTRAINT "refund_transfers_status_check" CHECK ("refund_transfers"."status" in ('seen', 'confirmed', 'dropped')),
	CONSTRAINT "refund_transfers_base_units_check" CHECK ("refund_transfers"."base_units" > 0),
	CONSTRAINT "refund_transfers_refund_check" CHECK (num_nonnulls("refund_transfers"."refund_id", "refund_transfers"."merchant_id") in (0, 2))
);
--> statement-breakpoint
ALTER TABLE "merchant_refunds" ADD CONSTRAINT "merchant_refunds_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "refund_requests_mch_refund_id_key" ON "refund_requests" USING btree ("merchant_id","mch_refund_id","integration");--> statement-breakpoint
CREATE INDEX "refund_requests_list_idx" ON "refund_requests" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "refund_requests_status_idx" ON "refund_requests" USING btree ("merchant_id","status","id");--> statement-breakpoint
CREATE INDEX "refund_requests_order_idx" ON "refund_requests" USING btree ("order_id","merchant_id") WHERE "refund_requests"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "refund_requests_transfer_idx" ON "refund_requests" USING btree ("transfer_id","merchant_id") WHERE "refund_requests"."transfer_id" is not null;--> statement-breakpoint
CREATE INDEX "refund_requests_expiring_idx" ON "refund_requests" USING btree ("expires_at") WHERE "refund_requests"."status" = 'requested';--> statement-breakpoint
CREATE INDEX "refund_requests_watch_idx" ON "refund_requests" USING btree ("family") WHERE "refund_requests"."status" in ('approved', 'sent');--> statement-breakpoint
CREATE INDEX "refund_requests_ended_idx" ON "refund_requests" USING btree ("family","changed_at") WHERE "refund_requests"."status" in ('cancelled', 'completed') and "refund_requests"."approved_at" is not null;--> statement-breakpoint
CREATE INDEX "refund_requests_address_idx" ON "refund_requests" USING btree ("family","address") WHERE "refund_requests"."approved_at" is not null;--> statement-breakpoint
CREATE INDEX "refund_requests_approved_idx" ON "refund_requests" USING btree ("network") WHERE "refund_requests"."status" in ('approved', 'sent');--> statement-breakpoint
CREATE UNIQUE INDEX "refund_transfers_refund_key" ON "refund_transfers" USING btree ("refund_id") WHERE "refund_transfers"."refund_id" is not null;--> statement-breakpoint
CREATE INDEX "refund_transfers_to_match_idx" ON "refund_transfers" USING btree ("network") WHERE "refund_transfers"."matched_at" is null;--> statement-breakpoint
CREATE INDEX "refund_transfers_open_idx" ON "refund_transfers" USING btree ("network","block_height") WHERE "refund_transfers"."status" = 'seen' and "refund_transfers"."refund_id" is not null;--> statement-breakpoint
CREATE INDEX "refund_transfers_height_idx" ON "refund_transfers" USING btree ("network","block_height");--> statement-breakpoint
CREATE INDEX "refund_transfers_month_idx" ON "refund_transfers" USING btree ("merchant_id","block_time") WHERE "refund_transfers"."status" = 'confirmed' and "refund_transfers"."refund_id" is not null;--> statement-breakpoint
CREATE INDEX "refund_transfers_address_idx" ON "refund_transfers" USING btree ("family","to_address");