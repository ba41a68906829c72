DROP INDEX "quotes_address_idx";--> statement-breakpoint
CREATE INDEX "quotes_address_idx" ON "quotes" USING btree ("receiving_address_id","base_units");