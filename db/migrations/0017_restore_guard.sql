ALTER TABLE "address_sources" ADD COLUMN "skipped" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "receiving_addresses" ADD COLUMN "guarded_until" timestamp (3) with time zone DEFAULT 'epoch' NOT NULL;--> statement-breakpoint
ALTER TABLE "receiving_addresses" ADD COLUMN "guard_level" integer DEFAULT 0 NOT NULL;