-- contract: the version before writes only ids that the new constraints accept, too.
ALTER TABLE "orders" DROP CONSTRAINT "orders_dialect_check";--> statement-breakpoint
ALTER TABLE "plugins" DROP CONSTRAINT "plugins_dialect_check";--> statement-breakpoint
-- Orders that exist passed the stricter check. Validating them again would lock the table for a scan of all orders.
ALTER TABLE "orders" ADD CONSTRAINT "orders_dialect_format_check" CHECK ("orders"."dialect" ~ '^[a-z][a-z0-9-]{0,31}$') NOT VALID;--> statement-breakpoint
ALTER TABLE "plugins" ADD CONSTRAINT "plugins_dialect_format_check" CHECK ("plugins"."dialect" ~ '^[a-z][a-z0-9-]{0,31}$');
