ALTER TABLE "users" ADD COLUMN "email_verified_at" timestamp (3) with time zone;--> statement-breakpoint
-- Accounts that exist keep what they have: their people may have second factors already, which the first mailed link would remove.
UPDATE "users" SET "email_verified_at" = "created_at";
