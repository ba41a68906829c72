ALTER TABLE "transfers" ALTER COLUMN "currency" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "cursors" ADD COLUMN "warning" text;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_look_alike_check" CHECK ("transfers"."currency" is not null or ("transfers"."quote_id" is null and "transfers"."order_id" is null));