ALTER TABLE "cursors" ADD COLUMN "gas_price" numeric(78, 0);--> statement-breakpoint
ALTER TABLE "cursors" ADD COLUMN "gas_price_at" timestamp (3) with time zone;