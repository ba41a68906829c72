CREATE TABLE "payment_link_orders" (
	"merchant_id" text NOT NULL,
	"link_id" text NOT NULL,
	"order_id" text NOT NULL,
	"form_key" text NOT NULL,
	"note" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_link_orders_order_id_merchant_id_pk" PRIMARY KEY("order_id","merchant_id")
);
--> statement-breakpoint
CREATE TABLE "payment_links" (
	"id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"api_key_id" text,
	"created_by" text,
	"mch_link_id" text,
	"network" text,
	"currency" text,
	"fiat" text,
	"amount" text,
	"min_amount" text,
	"max_amount" text,
	"subject" text,
	"note_label" text,
	"notify_url" text,
	"redirect_url" text,
	"max_uses" integer,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"closed_by" text,
	CONSTRAINT "payment_links_id_merchant_id_pk" PRIMARY KEY("id","merchant_id"),
	CONSTRAINT "payment_links_amount_check" CHECK ("payment_links"."amount" is null or num_nonnulls("payment_links"."min_amount", "payment_links"."max_amount") = 0),
	CONSTRAINT "payment_links_uses_check" CHECK ("payment_links"."max_uses" > 0)
);
--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_link_orders_link_idx" ON "payment_link_orders" USING btree ("link_id","merchant_id","order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_links_mch_link_id_key" ON "payment_links" USING btree ("merchant_id","mch_link_id");--> statement-breakpoint
CREATE INDEX "payment_links_list_idx" ON "payment_links" USING btree ("merchant_id","id");