ALTER TABLE "callbacks" ADD COLUMN "unsigned_reason" text;--> statement-breakpoint
ALTER TABLE "callbacks" ADD COLUMN "unsigned_since" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "callbacks_unsigned_idx" ON "callbacks" USING btree ("merchant_id") WHERE "callbacks"."unsigned_since" is not null;