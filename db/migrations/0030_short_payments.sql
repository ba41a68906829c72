CREATE TABLE "payment_claims" (
	"merchant_id" text NOT NULL,
	"order_id" text NOT NULL,
	"tx_id" text NOT NULL,
	"claimed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_claims_order_id_merchant_id_tx_id_pk" PRIMARY KEY("order_id","merchant_id","tx_id")
);
--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "links_short_payments" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "completes_quote_id" text;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "completes_transfer_id" text;--> statement-breakpoint
CREATE INDEX "payment_claims_tx_idx" ON "payment_claims" USING btree ("merchant_id","tx_id");