CREATE TABLE "failing_rows" (
	"task" text NOT NULL,
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"network" text NOT NULL,
	"failures" integer NOT NULL,
	"first_failed_at" timestamp (3) with time zone NOT NULL,
	"retry_at" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "failing_rows_task_id_pk" PRIMARY KEY("task","id"),
	CONSTRAINT "failing_rows_task_check" CHECK ("failing_rows"."task" in ('match', 'confirm', 'expire'))
);
--> statement-breakpoint
DROP INDEX "orders_expiring_idx";--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "lost_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "lost_acknowledged_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "failing_rows" ADD CONSTRAINT "failing_rows_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "failing_rows_merchant_id_idx" ON "failing_rows" USING btree ("merchant_id");--> statement-breakpoint
CREATE INDEX "transfers_lost_idx" ON "transfers" USING btree ("receiving_address_id") WHERE "transfers"."lost_at" is not null and "transfers"."lost_acknowledged_at" is null;--> statement-breakpoint
CREATE INDEX "orders_expiring_idx" ON "orders" USING btree ("network","expires_at") WHERE "orders"."status" = 'pending';