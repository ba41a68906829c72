-- An amount is held over all networks of a family, by its public value, until its time is over (docs/adr/0008).

CREATE TABLE "family_addresses" (
	"family" text NOT NULL,
	"address" text NOT NULL,
	"merchant_id" text NOT NULL,
	CONSTRAINT "family_addresses_family_address_pk" PRIMARY KEY("family","address"),
	CONSTRAINT "family_addresses_owner_key" UNIQUE("family","address","merchant_id")
);
--> statement-breakpoint
DROP FUNCTION create_order(text, text, text, text, text, text, text, text, numeric, numeric, text, text, text, integer, timestamptz);
--> statement-breakpoint
DROP FUNCTION reserve_quote(text, text, text, text, text, text, numeric, numeric, timestamptz, timestamptz);
--> statement-breakpoint
DROP FUNCTION reserve_crowded(text, text, text, text, text, text, numeric, numeric, timestamptz, timestamptz);
--> statement-breakpoint
DROP FUNCTION rebuild_windows(text, text, text, numeric, numeric);
--> statement-breakpoint
DROP FUNCTION note_taken(text, text, text, text, bigint, numeric, numeric[]);
--> statement-breakpoint
DROP FUNCTION live_amounts(text, text, text, numeric, numeric, numeric[]);
--> statement-breakpoint
DROP FUNCTION amount_lock(text, text, numeric);
--> statement-breakpoint
DROP TABLE "amount_windows";
--> statement-breakpoint
CREATE TABLE "amount_windows" (
	"address" text NOT NULL,
	"currency" text NOT NULL,
	"family" text NOT NULL,
	"window_number" bigint NOT NULL,
	"taken" bit(10000) NOT NULL,
	CONSTRAINT "amount_windows_address_currency_family_window_number_pk" PRIMARY KEY("address","currency","family","window_number")
);
--> statement-breakpoint
DROP INDEX "quotes_live_amount_key";--> statement-breakpoint
DROP INDEX "quotes_live_dedicated_key";--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "family" text;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "micro_units" bigint;--> statement-breakpoint
ALTER TABLE "receiving_addresses" ADD COLUMN "family" text;--> statement-breakpoint
-- Networks that tests and sandboxes may have held before there were families.
UPDATE "receiving_addresses" SET "family" = CASE WHEN "network" IN ('tron', 'solana') THEN "network" ELSE 'evm' END;--> statement-breakpoint
UPDATE "quotes" SET "family" = CASE WHEN "network" IN ('tron', 'solana') THEN "network" ELSE 'evm' END,
  "micro_units" = div("base_units", CASE WHEN "network" = 'bsc' THEN 1000000000000 ELSE 1 END),
  "reserved_until" = CASE WHEN "released_at" IS NULL THEN "reserved_until" ELSE least("reserved_until", "released_at" - interval '2 minutes') END;--> statement-breakpoint
INSERT INTO "family_addresses" ("family", "address", "merchant_id")
SELECT DISTINCT ON ("family", "address") "family", "address", "merchant_id" FROM "receiving_addresses" ORDER BY "family", "address", "created_at";--> statement-breakpoint
ALTER TABLE "quotes" ALTER COLUMN "family" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "quotes" ALTER COLUMN "micro_units" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "receiving_addresses" ALTER COLUMN "family" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "family_addresses" ADD CONSTRAINT "family_addresses_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receiving_addresses" ADD CONSTRAINT "receiving_addresses_owner_fk" FOREIGN KEY ("family","address","merchant_id") REFERENCES "public"."family_addresses"("family","address","merchant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "quotes_dedicated_idx" ON "quotes" USING btree ("receiving_address_id","created_at") WHERE "quotes"."kind" = 'dedicated';--> statement-breakpoint
CREATE INDEX "receiving_addresses_address_idx" ON "receiving_addresses" USING btree ("address");--> statement-breakpoint
CREATE UNIQUE INDEX "quotes_live_amount_key" ON "quotes" USING btree ("address","micro_units","currency","family") WHERE "quotes"."released_at" is null and "quotes"."kind" = 'shared';--> statement-breakpoint
CREATE UNIQUE INDEX "quotes_live_dedicated_key" ON "quotes" USING btree ("address","family") WHERE "quotes"."released_at" is null and "quotes"."kind" = 'dedicated';--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_released_check" CHECK ("quotes"."released_at" is null or "quotes"."released_at" >= "quotes"."reserved_until" + interval '2 minutes');
--> statement-breakpoint

-- An amount here is in millionths of its currency ("micro units"): the same on every network of a family. The functions
-- take base units (p_step of them are one millionth) only where they write them.

-- The lock that a transaction holds on an amount it is about to reserve, so that others pass by instead of waiting for it.
CREATE FUNCTION amount_lock(p_address text, p_currency text, p_micro bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT hashtextextended(p_address || p_currency, p_micro)
$$;
--> statement-breakpoint

-- The live amounts of an address from p_first on, 10,000 steps far, as bits; only those of p_among where it is given.
CREATE FUNCTION live_amounts(p_family text, p_currency text, p_address text, p_first bigint, p_among bigint[] DEFAULT NULL)
RETURNS bit varying LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_none constant bit varying := repeat('0', 10000)::bit(10000);
  v_taken bit varying := v_none;
BEGIN
  IF p_among IS NULL THEN
    SELECT bit_or(set_bit(v_none, (q.micro_units - p_first)::integer, 1)) INTO v_taken
    FROM quotes q
    WHERE q.address = p_address AND q.currency = p_currency AND q.family = p_family
      AND q.micro_units >= p_first AND q.micro_units < p_first + 10000
      AND q.released_at IS NULL AND q.kind = 'shared';
  ELSE
    SELECT bit_or(set_bit(v_none, (q.micro_units - p_first)::integer, 1)) INTO v_taken
    FROM quotes q
    WHERE q.address = p_address AND q.currency = p_currency AND q.family = p_family
      AND q.micro_units = ANY (p_among)
      AND q.micro_units >= p_first AND q.micro_units < p_first + 10000
      AND q.released_at IS NULL AND q.kind = 'shared';
  END IF;
  RETURN coalesce(v_taken, v_none);
END
$$;
--> statement-breakpoint

-- Writes amounts that were found taken into their window. Never waits: another process that is at it does the same work.
CREATE FUNCTION note_taken(p_family text, p_currency text, p_address text, p_window bigint, p_taken bigint[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM amount_windows w
  WHERE w.address = p_address AND w.currency = p_currency AND w.family = p_family AND w.window_number = p_window
  FOR UPDATE SKIP LOCKED;
  IF FOUND THEN
    UPDATE amount_windows w
    SET taken = w.taken | live_amounts(p_family, p_currency, p_address, p_window * 10000, p_taken)
    WHERE w.address = p_address AND w.currency = p_currency AND w.family = p_family AND w.window_number = p_window;
  ELSIF pg_try_advisory_xact_lock(amount_lock(p_address, p_currency, -1 - p_window)) THEN
    INSERT INTO amount_windows (address, currency, family, window_number, taken)
    SELECT p_address, p_currency, p_family, p_window, live_amounts(p_family, p_currency, p_address, p_window * 10000)
    WHERE NOT EXISTS (
      SELECT FROM amount_windows w
      WHERE w.address = p_address AND w.currency = p_currency AND w.family = p_family AND w.window_number = p_window)
    ON CONFLICT DO NOTHING;
  END IF;
END
$$;
--> statement-breakpoint

-- Reads the windows of a price afresh from the quotes, for every address: done once before a price is called full.
CREATE FUNCTION rebuild_windows(p_merchant_id text, p_network text, p_currency text, p_price bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_window constant bigint := p_price / 10000;
BEGIN
  INSERT INTO amount_windows (address, currency, family, window_number, taken)
  SELECT r.address, p_currency, r.family, n, repeat('0', 10000)::bit(10000)
  FROM receiving_addresses r, generate_series(v_window, v_window + 1) n
  WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.kind = 'shared'
    AND r.paused_at IS NULL AND r.removed_at IS NULL
  ORDER BY r.address, n
  ON CONFLICT DO NOTHING;
  PERFORM 1 FROM amount_windows w JOIN receiving_addresses r ON r.address = w.address AND r.family = w.family
  WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND w.currency = p_currency
    AND w.window_number BETWEEN v_window AND v_window + 1
  ORDER BY w.address, w.window_number
  FOR UPDATE OF w;
  UPDATE amount_windows w
  SET taken = live_amounts(w.family, p_currency, w.address, w.window_number * 10000)
  FROM receiving_addresses r
  WHERE r.address = w.address AND r.family = w.family AND r.merchant_id = p_merchant_id AND r.network = p_network
    AND w.currency = p_currency AND w.window_number BETWEEN v_window AND v_window + 1;
END
$$;
--> statement-breakpoint

-- Reserves the shortest free amount of a price that is taken as it stands. The windows say where to look; the unique index decides.
CREATE FUNCTION reserve_crowded(
  p_quote_id text, p_order_id text, p_merchant_id text, p_network text, p_currency text, p_token text,
  p_price bigint, p_step numeric, p_now timestamptz, p_reserved_until timestamptz,
  OUT receiving_address_id text, OUT address text, OUT mac text, OUT base_units numeric)
LANGUAGE plpgsql AS $$
DECLARE
  v_none constant bit varying := repeat('0', 10000)::bit(10000);
  v_long constant bit varying := repeat('0' || repeat('1', 99), 100)::bit(10000);
  v_window constant bigint := p_price / 10000;
  v_shift constant integer := (p_price % 10000)::integer;
  v_family text;
  v_ids text[];
  v_addresses text[];
  v_macs text[];
  v_taken bit varying[];
  v_offsets integer[];
  v_found bigint[] := '{}';
  v_found_at integer[] := '{}';
  v_is_rebuilt boolean := false;
  v_best integer;
  v_at integer;
  v_micro bigint;
BEGIN
  LOOP
    IF v_taken IS NULL THEN
      SELECT array_agg(r.id ORDER BY r.created_at, r.id), array_agg(r.address ORDER BY r.created_at, r.id),
        array_agg(r.mac ORDER BY r.created_at, r.id), array_agg(-1 ORDER BY r.created_at, r.id),
        array_agg(CASE WHEN v_shift = 0 THEN coalesce(a.taken::bit varying, v_none)
          ELSE substring(coalesce(a.taken::bit varying, v_none) FROM v_shift + 1)
            || substring(coalesce(b.taken::bit varying, v_none) FROM 1 FOR v_shift) END ORDER BY r.created_at, r.id),
        min(r.family)
      INTO v_ids, v_addresses, v_macs, v_offsets, v_taken, v_family
      FROM receiving_addresses r
      LEFT JOIN amount_windows a ON a.address = r.address AND a.currency = p_currency AND a.family = r.family AND a.window_number = v_window
      LEFT JOIN amount_windows b ON b.address = r.address AND b.currency = p_currency AND b.family = r.family AND b.window_number = v_window + 1
        AND v_shift > 0
      WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.kind = 'shared'
        AND r.paused_at IS NULL AND r.removed_at IS NULL;
      IF v_ids IS NULL THEN
        RETURN;
      END IF;
    END IF;

    v_best := NULL;
    FOR i IN 1 .. cardinality(v_ids) LOOP
      IF v_offsets[i] = -1 THEN
        v_at := 0;
        IF bit_count(v_taken[i] | v_long) < 10000 THEN
          v_at := position(B'0' IN v_taken[i] | v_long);
        ELSIF bit_count(v_taken[i]) < 10000 THEN
          v_at := position(B'0' IN v_taken[i]);
        END IF;
        v_offsets[i] := CASE WHEN v_at = 0 THEN 10000 ELSE v_at - 1 END;
      END IF;
      IF v_offsets[i] < 10000 AND (v_best IS NULL OR amount_rank(v_offsets[i]) < amount_rank(v_offsets[v_best])) THEN
        v_best := i;
      END IF;
    END LOOP;

    IF v_best IS NULL THEN
      IF v_is_rebuilt THEN
        RETURN;
      END IF;
      PERFORM rebuild_windows(p_merchant_id, p_network, p_currency, p_price);
      v_is_rebuilt := true;
      v_taken := NULL;
      CONTINUE;
    END IF;

    v_micro := p_price + v_offsets[v_best];
    IF pg_try_advisory_xact_lock(amount_lock(v_addresses[v_best], p_currency, v_micro)) THEN
      base_units := v_micro * p_step;
      INSERT INTO quotes (id, order_id, receiving_address_id, network, family, currency, token, address, kind, base_units, micro_units, created_at, reserved_until)
      VALUES (p_quote_id, p_order_id, v_ids[v_best], p_network, v_family, p_currency, p_token, v_addresses[v_best], 'shared', base_units, v_micro, p_now, p_reserved_until)
      ON CONFLICT DO NOTHING;
      IF FOUND THEN
        receiving_address_id := v_ids[v_best];
        address := v_addresses[v_best];
        mac := v_macs[v_best];
        EXIT;
      END IF;
      v_found := v_found || v_micro;
      v_found_at := v_found_at || v_best;
    END IF;
    v_taken[v_best] := set_bit(v_taken[v_best], v_offsets[v_best], 1);
    v_offsets[v_best] := -1;
  END LOOP;

  IF cardinality(v_found) >= 4 THEN
    PERFORM note_taken(v_family, p_currency, v_addresses[i], n, v_found)
    FROM (SELECT DISTINCT unnest(v_found_at) AS i) at_address,
      generate_series(v_window, v_window + CASE WHEN v_shift = 0 THEN 0 ELSE 1 END) n;
  END IF;
END
$$;
--> statement-breakpoint

-- Reserves what an order must be paid to: an idle dedicated address, else the shortest free amount on a shared one.
-- Raises SG002 where the merchant has no address to offer, SG003 where all of them are taken.
CREATE FUNCTION reserve_quote(
  p_quote_id text, p_order_id text, p_merchant_id text, p_network text, p_currency text, p_token text,
  p_price bigint, p_step numeric, p_now timestamptz, p_reserved_until timestamptz,
  OUT receiving_address_id text, OUT address text, OUT kind text, OUT mac text, OUT base_units numeric)
LANGUAGE plpgsql AS $$
DECLARE
  v_family text;
BEGIN
  kind := 'dedicated';
  base_units := p_price * p_step;
  LOOP
    -- On another network of the family the same address may be serving an order.
    SELECT r.id, r.address, r.family, r.mac INTO receiving_address_id, address, v_family, mac FROM receiving_addresses r
    WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.kind = 'dedicated'
      AND r.paused_at IS NULL AND r.removed_at IS NULL AND r.rests_until <= p_now
      AND NOT EXISTS (
        SELECT FROM quotes q
        WHERE q.address = r.address AND q.family = r.family AND q.released_at IS NULL AND q.kind = 'dedicated')
    ORDER BY r.rests_until LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED;
    EXIT WHEN NOT FOUND;
    INSERT INTO quotes (id, order_id, receiving_address_id, network, family, currency, token, address, kind, base_units, micro_units, created_at, reserved_until)
    VALUES (p_quote_id, p_order_id, receiving_address_id, p_network, v_family, p_currency, p_token, address, kind, base_units, p_price, p_now, p_reserved_until)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
      UPDATE receiving_addresses r SET rests_until = p_reserved_until WHERE r.id = receiving_address_id;
      RETURN;
    END IF;
    -- Somebody reserved it on another network in the same moment: ask again later.
    UPDATE receiving_addresses r SET rests_until = p_now + interval '10 minutes' WHERE r.id = receiving_address_id;
  END LOOP;

  kind := 'shared';
  FOR receiving_address_id, address, v_family, mac IN
    SELECT r.id, r.address, r.family, r.mac FROM receiving_addresses r
    WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.kind = 'shared'
      AND r.paused_at IS NULL AND r.removed_at IS NULL
      AND NOT EXISTS (
        SELECT FROM quotes q
        WHERE q.address = r.address AND q.micro_units = p_price AND q.currency = p_currency AND q.family = r.family
          AND q.released_at IS NULL AND q.kind = 'shared')
    ORDER BY r.created_at, r.id
  LOOP
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(amount_lock(address, p_currency, p_price));
    INSERT INTO quotes (id, order_id, receiving_address_id, network, family, currency, token, address, kind, base_units, micro_units, created_at, reserved_until)
    VALUES (p_quote_id, p_order_id, receiving_address_id, p_network, v_family, p_currency, p_token, address, kind, base_units, p_price, p_now, p_reserved_until)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
      RETURN;
    END IF;
  END LOOP;

  SELECT c.receiving_address_id, c.address, c.mac, c.base_units INTO receiving_address_id, address, mac, base_units
  FROM reserve_crowded(p_quote_id, p_order_id, p_merchant_id, p_network, p_currency, p_token, p_price, p_step, p_now, p_reserved_until) c;
  IF receiving_address_id IS NOT NULL THEN
    RETURN;
  END IF;
  IF EXISTS (
    SELECT FROM receiving_addresses r
    WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.paused_at IS NULL AND r.removed_at IS NULL
  ) THEN
    RAISE EXCEPTION 'every amount is taken' USING ERRCODE = 'SG003';
  END IF;
  RAISE EXCEPTION 'no receiving address' USING ERRCODE = 'SG002';
END
$$;
--> statement-breakpoint

-- Makes an order with its quote: one look at everything it needs, then two inserts in the usual case. Makes nothing where the merchant has used p_mch_order_id before: is_new is false then.
CREATE FUNCTION create_order(
  p_order_id text, p_quote_id text, p_api_key_id text, p_merchant_id text, p_mch_order_id text,
  p_network text, p_currency text, p_token text, p_amount numeric, p_step numeric,
  p_notify_url text, p_redirect_url text, p_locale text, p_expires_in integer, p_now timestamptz,
  OUT is_new boolean, OUT expires_ms float8,
  OUT receiving_address_id text, OUT address text, OUT kind text, OUT mac text, OUT base_units text)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_price constant bigint := div(p_amount, p_step);
  v record;
BEGIN
  SELECT x.expires_at, x.expires_at + make_interval(secs => m.late_window_seconds) AS reserved_until,
    (SELECT coalesce(c.problem, CASE WHEN c.heard_at < p_now - interval '5 minutes'
        THEN 'Nobody has watched this network since ' || to_char(c.heard_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC' END)
      FROM cursors c WHERE c.network = p_network) AS problem,
    EXISTS (
      SELECT FROM receiving_addresses r
      WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.kind = 'dedicated'
        AND r.paused_at IS NULL AND r.removed_at IS NULL AND r.rests_until <= p_now) AS has_dedicated,
    s.id, s.address, s.family, s.mac
  INTO v
  FROM api_keys k JOIN merchants m ON m.id = k.merchant_id
  CROSS JOIN LATERAL (SELECT date_trunc('second', p_now + make_interval(secs => coalesce(p_expires_in, m.expires_in_seconds)) + interval '999 milliseconds') AS expires_at) x
  LEFT JOIN LATERAL (
    SELECT r.id, r.address, r.family, r.mac FROM receiving_addresses r
    WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.kind = 'shared'
      AND r.paused_at IS NULL AND r.removed_at IS NULL
      AND NOT EXISTS (
        SELECT FROM quotes q
        WHERE q.address = r.address AND q.micro_units = v_price AND q.currency = p_currency AND q.family = r.family
          AND q.released_at IS NULL AND q.kind = 'shared')
    ORDER BY r.created_at, r.id LIMIT 1) s ON true
  WHERE k.id = p_api_key_id AND k.merchant_id = p_merchant_id AND (k.ends_at IS NULL OR k.ends_at > p_now);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the API key is dead' USING ERRCODE = 'SG001';
  END IF;

  INSERT INTO orders (id, merchant_id, api_key_id, mch_order_id, network, currency, amount_units, quote_id, status,
    notify_url, redirect_url, locale, expires_at, created_at, changed_at)
  VALUES (p_order_id, p_merchant_id, p_api_key_id, p_mch_order_id, p_network, p_currency, p_amount, p_quote_id, 'pending',
    p_notify_url, p_redirect_url, p_locale, v.expires_at, p_now, p_now)
  ON CONFLICT (merchant_id, mch_order_id) DO NOTHING;
  is_new := FOUND;
  IF NOT is_new THEN
    RETURN;
  END IF;
  IF v.problem IS NOT NULL THEN
    RAISE EXCEPTION '%', v.problem USING ERRCODE = 'SG004';
  END IF;
  expires_ms := extract(epoch FROM v.expires_at) * 1000;

  -- The usual case: no dedicated address waits, and the price itself is free.
  IF v.id IS NOT NULL AND NOT v.has_dedicated AND pg_try_advisory_xact_lock(amount_lock(v.address, p_currency, v_price)) THEN
    INSERT INTO quotes (id, order_id, receiving_address_id, network, family, currency, token, address, kind, base_units, micro_units, created_at, reserved_until)
    VALUES (p_quote_id, p_order_id, v.id, p_network, v.family, p_currency, p_token, v.address, 'shared', p_amount, v_price, p_now, v.reserved_until)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
      receiving_address_id := v.id;
      address := v.address;
      kind := 'shared';
      mac := v.mac;
      base_units := p_amount::text;
      RETURN;
    END IF;
  END IF;
  SELECT r.receiving_address_id, r.address, r.kind, r.mac, r.base_units::text
  INTO receiving_address_id, address, kind, mac, base_units
  FROM reserve_quote(p_quote_id, p_order_id, p_merchant_id, p_network, p_currency, p_token, v_price, p_step,
    p_now, v.reserved_until) r;
END
$$;
