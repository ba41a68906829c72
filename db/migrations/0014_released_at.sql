CREATE INDEX IF NOT EXISTS "quotes_released_at_idx" ON "quotes" USING btree ("merchant_id","released_at") WHERE "quotes"."released_at" is not null;
