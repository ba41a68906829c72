CREATE TABLE "unreadable_transactions" (
	"network" text NOT NULL,
	"tx_id" text NOT NULL,
	"account" text NOT NULL,
	"receiving_address_id" text NOT NULL,
	"slot" bigint NOT NULL,
	"reason" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"tried_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	CONSTRAINT "unreadable_transactions_network_tx_id_account_pk" PRIMARY KEY("network","tx_id","account")
);
--> statement-breakpoint
ALTER TABLE "unreadable_transactions" ADD CONSTRAINT "unreadable_transactions_receiving_address_id_receiving_addresses_id_fk" FOREIGN KEY ("receiving_address_id") REFERENCES "public"."receiving_addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "unreadable_transactions_waiting_idx" ON "unreadable_transactions" USING btree ("network","tried_at") WHERE "unreadable_transactions"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "unreadable_transactions_address_idx" ON "unreadable_transactions" USING btree ("receiving_address_id") WHERE "unreadable_transactions"."resolved_at" is null;