ALTER TABLE "api_keys" ADD COLUMN "is_for_plugin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "plugin_requested_at" timestamp (3) with time zone;