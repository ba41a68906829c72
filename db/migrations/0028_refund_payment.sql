ALTER TABLE "refund_requests" ADD COLUMN "echo" jsonb;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD COLUMN "freeze_state" text;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD COLUMN "freeze_checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD COLUMN "freeze_look_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD COLUMN "wallet_asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD COLUMN "wallet_started_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD COLUMN "wallet_tx_id" text;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD COLUMN "wallet_sent_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD COLUMN "exported_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "refund_requests_freeze_idx" ON "refund_requests" USING btree ("network","freeze_look_at") WHERE "refund_requests"."status" in ('claimed', 'approved');