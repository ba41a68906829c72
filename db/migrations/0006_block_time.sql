ALTER TABLE "merchant_networks" ALTER COLUMN "min_confirmations" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "cursors" ADD COLUMN "block_ms" integer;--> statement-breakpoint
ALTER TABLE "merchant_networks" ADD COLUMN "min_seconds" integer;--> statement-breakpoint
ALTER TABLE "merchant_networks" ADD CONSTRAINT "merchant_networks_min_seconds_check" CHECK ("merchant_networks"."min_seconds" > 0);--> statement-breakpoint
ALTER TABLE "merchant_networks" ADD CONSTRAINT "merchant_networks_one_check" CHECK (num_nonnulls("merchant_networks"."min_confirmations", "merchant_networks"."min_seconds") = 1);