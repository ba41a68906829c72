CREATE TABLE "address_claims" (
	"family" text NOT NULL,
	"address" text NOT NULL,
	"cell" text NOT NULL,
	"pending_since" timestamp (3) with time zone,
	CONSTRAINT "address_claims_family_address_pk" PRIMARY KEY("family","address")
);
--> statement-breakpoint
CREATE INDEX "address_claims_pending_idx" ON "address_claims" USING btree ("cell","pending_since") WHERE "address_claims"."pending_since" is not null;