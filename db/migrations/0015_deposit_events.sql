-- contract: no statement names events_transfer_key. The previous version writes version 1 alone, and events_deposit_key allows that once per transfer and type.
CREATE UNIQUE INDEX "events_deposit_key" ON "events" USING btree ("transfer_id","type","version","merchant_id") WHERE "events"."transfer_id" is not null;--> statement-breakpoint
DROP INDEX "events_transfer_key";
