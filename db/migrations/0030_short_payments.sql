ALTER TABLE "merchants" ADD COLUMN "links_short_payments" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "completes_quote_id" text;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "completes_transfer_id" text;