ALTER TABLE "api_keys" ALTER COLUMN "key_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "lookup_mac" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "hash_cipher" text;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_lookup_mac_key" ON "api_keys" USING btree ("lookup_mac");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_hash_check" CHECK ("api_keys"."key_hash" is not null or ("api_keys"."lookup_mac" is not null and "api_keys"."hash_cipher" is not null));