-- contract: of what it takes, quotes_live_amount_key, no statement names it, and quotes_held_amount_key forbids more.
CREATE TABLE "amount_bitmaps" (
	"merchant_id" text NOT NULL,
	"family" text NOT NULL,
	"address" text NOT NULL,
	"window_number" bigint NOT NULL,
	"held" bit(10000) NOT NULL,
	CONSTRAINT "amount_bitmaps_merchant_id_family_address_window_number_pk" PRIMARY KEY("merchant_id","family","address","window_number")
);
--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "shares_amount" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Live quotes of two currencies may have the same amount here: all but the one that is held longest stay outside the unique index.
UPDATE "quotes" q SET "shares_amount" = true
FROM (
	SELECT "order_id", "merchant_id", "id",
		row_number() OVER (PARTITION BY "merchant_id", "family", "address", "micro_units" ORDER BY "reserved_until" DESC, "id") AS rank
	FROM "quotes" WHERE "released_at" IS NULL AND "kind" = 'shared') held
WHERE held.rank > 1 AND q."order_id" = held."order_id" AND q."merchant_id" = held."merchant_id" AND q."id" = held."id";--> statement-breakpoint
CREATE UNIQUE INDEX "quotes_held_amount_key" ON "quotes" USING btree ("merchant_id","address","micro_units","family") WHERE "quotes"."released_at" is null and "quotes"."kind" = 'shared' and not "quotes"."shares_amount";--> statement-breakpoint
CREATE INDEX "quotes_shares_amount_idx" ON "quotes" USING btree ("merchant_id","address","micro_units") WHERE "quotes"."shares_amount" and "quotes"."released_at" is null;--> statement-breakpoint
DROP INDEX "quotes_live_amount_key";--> statement-breakpoint
INSERT INTO "amount_bitmaps" ("merchant_id", "family", "address", "window_number", "held")
SELECT "merchant_id", "family", "address", "window_number", bit_or("taken") FROM "amount_windows" GROUP BY 1, 2, 3, 4;
