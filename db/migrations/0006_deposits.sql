CREATE TABLE "deposit_addresses" (
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"customer_ref" text NOT NULL,
	"network" text NOT NULL,
	"family" text NOT NULL,
	"receiving_address_id" text NOT NULL,
	"address" text NOT NULL,
	"api_key_id" text NOT NULL,
	"notify_url" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "deposit_addresses_id_merchant_id_pk" PRIMARY KEY("id","merchant_id")
);
--> statement-breakpoint
ALTER TABLE "callbacks" ALTER COLUMN "order_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "order_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "callbacks" ADD COLUMN "deposit_id" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "deposit_id" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "transfer_id" text;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "deposit_id" text;--> statement-breakpoint
ALTER TABLE "deposit_addresses" ADD CONSTRAINT "deposit_addresses_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_addresses" ADD CONSTRAINT "deposit_addresses_address_fk" FOREIGN KEY ("receiving_address_id","merchant_id") REFERENCES "receiving_addresses"("id","merchant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "deposit_addresses_customer_key" ON "deposit_addresses" USING btree ("merchant_id","customer_ref","network");--> statement-breakpoint
CREATE UNIQUE INDEX "deposit_addresses_address_key" ON "deposit_addresses" USING btree ("merchant_id","family","address","network");--> statement-breakpoint
CREATE UNIQUE INDEX "events_transfer_key" ON "events" USING btree ("transfer_id","type","merchant_id") WHERE "events"."transfer_id" is not null;--> statement-breakpoint
CREATE INDEX "transfers_deposits_idx" ON "transfers" USING btree ("merchant_id","id") WHERE "transfers"."deposit_id" is not null;--> statement-breakpoint
CREATE INDEX "transfers_deposit_id_idx" ON "transfers" USING btree ("deposit_id","id") WHERE "transfers"."deposit_id" is not null;