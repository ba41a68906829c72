CREATE TABLE "merchant_networks" (
	"merchant_id" text NOT NULL,
	"network" text NOT NULL,
	"min_confirmations" integer NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "merchant_networks_merchant_id_network_pk" PRIMARY KEY("merchant_id","network"),
	CONSTRAINT "merchant_networks_min_confirmations_check" CHECK ("merchant_networks"."min_confirmations" > 0)
);
--> statement-breakpoint
ALTER TABLE "merchant_networks" ADD CONSTRAINT "merchant_networks_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "merchant_networks_network_idx" ON "merchant_networks" USING btree ("network","min_confirmations");