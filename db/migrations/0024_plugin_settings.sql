ALTER TABLE "plugins" ADD COLUMN "settings" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
-- The version before reads and writes the columns. A plugin that it creates has an empty object, for which the initial values apply.
UPDATE "plugins" SET "settings" = jsonb_build_object('takesKeyInUrl', "takes_key_in_url", 'expiration', "expiration");
