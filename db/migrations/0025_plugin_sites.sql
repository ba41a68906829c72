CREATE SEQUENCE "callback_positions";--> statement-breakpoint
-- A column with a sequence as its default would rewrite the table. Rows from before have no position.
ALTER TABLE "callbacks" ADD COLUMN "position" bigint;--> statement-breakpoint
ALTER TABLE "callbacks" ALTER COLUMN "position" SET DEFAULT nextval('callback_positions');--> statement-breakpoint
ALTER TABLE "plugin_keys" ADD COLUMN "site" text;--> statement-breakpoint
CREATE INDEX "callbacks_webhook_idx" ON "callbacks" USING btree ("merchant_id","webhook_id","position") WHERE "callbacks"."webhook_id" is not null;