CREATE TABLE "receiver_trials" (
	"merchant_id" text NOT NULL,
	"source_id" text NOT NULL,
	"network" text NOT NULL,
	"receiver" text NOT NULL,
	"treasury" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"look_at" timestamp (3) with time zone,
	"scanned_height" bigint,
	"has_factory" boolean,
	"arrival" jsonb,
	"sweep" jsonb,
	"tried_at" timestamp (3) with time zone,
	"filled_to" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "receiver_trials_source_id_network_merchant_id_pk" PRIMARY KEY("source_id","network","merchant_id")
);
--> statement-breakpoint
ALTER TABLE "address_sources" ADD COLUMN "kind" text DEFAULT 'xpub' NOT NULL;--> statement-breakpoint
ALTER TABLE "receiver_trials" ADD CONSTRAINT "receiver_trials_source_fk" FOREIGN KEY ("source_id","merchant_id") REFERENCES "address_sources"("id","merchant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "receiver_trials_look_idx" ON "receiver_trials" USING btree ("network","look_at") WHERE "receiver_trials"."look_at" is not null;--> statement-breakpoint
CREATE INDEX "address_sources_hash_idx" ON "address_sources" USING btree ("key_hash");--> statement-breakpoint
ALTER TABLE "address_sources" ADD CONSTRAINT "address_sources_kind_check" CHECK ("address_sources"."kind" = 'xpub' or ("address_sources"."kind" = 'receiver' and "address_sources"."family" = 'evm'));