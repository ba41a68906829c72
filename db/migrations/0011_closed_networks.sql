ALTER TABLE "cursors" ADD COLUMN "closed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "cursors" ADD COLUMN "closed_by" text;--> statement-breakpoint
ALTER TABLE "cursors" ADD COLUMN "close_reason" text;--> statement-breakpoint
ALTER TABLE "cursors" ADD CONSTRAINT "cursors_closed_check" CHECK (num_nulls("cursors"."closed_at", "cursors"."closed_by", "cursors"."close_reason") in (0, 3));