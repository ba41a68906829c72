CREATE TABLE "address_sources" (
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"family" text NOT NULL,
	"key_cipher" text NOT NULL,
	"key_hash" text NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"networks" text[] NOT NULL,
	"most" integer NOT NULL,
	"next_index" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "address_sources_id_merchant_id_pk" PRIMARY KEY("id","merchant_id"),
	CONSTRAINT "address_sources_family_check" CHECK ("address_sources"."family" in ('evm', 'tron')),
	CONSTRAINT "address_sources_most_check" CHECK ("address_sources"."most" between 1 and 10000 and "address_sources"."next_index" >= 0)
);
--> statement-breakpoint
ALTER TABLE "receiving_addresses" ADD COLUMN "source" text DEFAULT 'pasted' NOT NULL;--> statement-breakpoint
ALTER TABLE "receiving_addresses" ADD COLUMN "source_id" text;--> statement-breakpoint
ALTER TABLE "receiving_addresses" ADD COLUMN "source_index" integer;--> statement-breakpoint
ALTER TABLE "address_sources" ADD CONSTRAINT "address_sources_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "address_sources_key_key" ON "address_sources" USING btree ("merchant_id","family","key_hash") WHERE "address_sources"."removed_at" is null;--> statement-breakpoint
ALTER TABLE "receiving_addresses" ADD CONSTRAINT "receiving_addresses_source_fk" FOREIGN KEY ("source_id","merchant_id") REFERENCES "address_sources"("id","merchant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "receiving_addresses_turn_idx" ON "receiving_addresses" USING btree ("merchant_id","network","rests_until","source_index") WHERE "receiving_addresses"."kind" = 'dedicated' and "receiving_addresses"."paused_at" is null and "receiving_addresses"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "receiving_addresses_derived_idx" ON "receiving_addresses" USING btree ("id") WHERE "receiving_addresses"."source_id" is not null and "receiving_addresses"."removed_at" is null;--> statement-breakpoint
ALTER TABLE "receiving_addresses" ADD CONSTRAINT "receiving_addresses_source_check" CHECK (("receiving_addresses"."source" = 'pasted') = ("receiving_addresses"."source_id" is null) and ("receiving_addresses"."source" = 'pasted') = ("receiving_addresses"."source_index" is null) and "receiving_addresses"."source" in ('pasted', 'xpub', 'receiver'));