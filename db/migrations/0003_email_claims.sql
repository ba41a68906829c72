CREATE TABLE "email_claims" (
	"email" text PRIMARY KEY NOT NULL,
	"cell" text NOT NULL,
	"pending_since" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "email_claims_pending_idx" ON "email_claims" USING btree ("cell","pending_since") WHERE "email_claims"."pending_since" is not null;