-- An order is made in one round trip: create_order inserts it and reserves its quote in the same statement.
-- Errors that callers tell apart: SG001 the API key is dead, SG002 no receiving address, SG003 nothing is free,
-- SG004 the network takes no new orders (the message says why).

ALTER TABLE "orders" ADD CONSTRAINT "orders_quote_id_quotes_id_fk"
  FOREIGN KEY ("quote_id") REFERENCES "quotes"("id") DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint

-- How short the amount at an offset (of 0.000001 from the price) is: 0, 100, 200 … 9900 come first, then the rest in order.
CREATE FUNCTION amount_rank(p_offset integer) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_offset % 100 = 0 THEN p_offset / 100 ELSE 99 + p_offset - p_offset / 100 END
$$;
--> statement-breakpoint

-- The lock that a transaction holds on an amount it is about to reserve, so that others pass by instead of waiting for it.
CREATE FUNCTION amount_lock(p_address text, p_token text, p_units numeric) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT hashtextextended(p_address || p_token || p_units::text, 0)
$$;
--> statement-breakpoint

-- The live amounts of an address from p_first_units on, 10,000 steps far, as bits; only those of p_among where it is given.
CREATE FUNCTION live_amounts(p_network text, p_token text, p_address text, p_first_units numeric, p_step numeric, p_among numeric[] DEFAULT NULL)
RETURNS bit varying LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_none constant bit varying := repeat('0', 10000)::bit(10000);
  v_taken bit varying := v_none;
BEGIN
  IF p_among IS NULL THEN
    SELECT bit_or(set_bit(v_none, div(q.base_units - p_first_units, p_step)::integer, 1)) INTO v_taken
    FROM quotes q
    WHERE q.address = p_address AND q.token = p_token AND q.network = p_network
      AND q.base_units >= p_first_units AND q.base_units < p_first_units + 10000 * p_step
      AND q.released_at IS NULL AND q.kind = 'shared';
  ELSE
    SELECT bit_or(set_bit(v_none, div(q.base_units - p_first_units, p_step)::integer, 1)) INTO v_taken
    FROM quotes q
    WHERE q.address = p_address AND q.token = p_token AND q.network = p_network
      AND q.base_units = ANY (p_among)
      AND q.base_units >= p_first_units AND q.base_units < p_first_units + 10000 * p_step
      AND q.released_at IS NULL AND q.kind = 'shared';
  END IF;
  RETURN coalesce(v_taken, v_none);
END
$$;
--> statement-breakpoint

-- Writes amounts that were found taken into their window. Never waits: another process that is at it does the same work.
CREATE FUNCTION note_taken(p_receiving_address_id text, p_network text, p_token text, p_address text, p_window bigint, p_step numeric, p_taken numeric[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_first_units constant numeric := p_window * 10000 * p_step;
BEGIN
  PERFORM 1 FROM amount_windows w
  WHERE w.receiving_address_id = p_receiving_address_id AND w.token = p_token AND w.window_number = p_window
  FOR UPDATE SKIP LOCKED;
  IF FOUND THEN
    UPDATE amount_windows w
    SET taken = w.taken | live_amounts(p_network, p_token, p_address, v_first_units, p_step, p_taken)
    WHERE w.receiving_address_id = p_receiving_address_id AND w.token = p_token AND w.window_number = p_window;
  ELSIF pg_try_advisory_xact_lock(amount_lock(p_address, p_token, -1 - p_window)) THEN
    INSERT INTO amount_windows (receiving_address_id, token, window_number, taken)
    SELECT p_receiving_address_id, p_token, p_window, live_amounts(p_network, p_token, p_address, v_first_units, p_step)
    WHERE NOT EXISTS (
      SELECT FROM amount_windows w
      WHERE w.receiving_address_id = p_receiving_address_id AND w.token = p_token AND w.window_number = p_window)
    ON CONFLICT DO NOTHING;
  END IF;
END
$$;
--> statement-breakpoint

-- Reads the windows of a price afresh from the quotes, for every address: done once before a price is called full.
CREATE FUNCTION rebuild_windows(p_merchant_id text, p_network text, p_token text, p_price numeric, p_step numeric)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_window constant bigint := div(p_price, 10000 * p_step);
BEGIN
  INSERT INTO amount_windows (receiving_address_id, token, window_number, taken)
  SELECT r.id, p_token, n, repeat('0', 10000)::bit(10000)
  FROM receiving_addresses r, generate_series(v_window, v_window + 1) n
  WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.kind = 'shared'
    AND r.paused_at IS NULL AND r.removed_at IS NULL
  ORDER BY r.id, n
  ON CONFLICT DO NOTHING;
  PERFORM 1 FROM amount_windows w JOIN receiving_addresses r ON r.id = w.receiving_address_id
  WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND w.token = p_token
    AND w.window_number BETWEEN v_window AND v_window + 1
  ORDER BY w.receiving_address_id, w.window_number
  FOR UPDATE OF w;
  UPDATE amount_windows w
  SET taken = live_amounts(p_network, p_token, r.address, w.window_number * 10000 * p_step, p_step)
  FROM receiving_addresses r
  WHERE r.id = w.receiving_address_id AND r.merchant_id = p_merchant_id AND r.network = p_network
    AND w.token = p_token AND w.window_number BETWEEN v_window AND v_window + 1;
END
$$;
--> statement-breakpoint

-- Reserves the shortest free amount of a price that is taken as it stands. The windows say where to look; the unique index decides.
CREATE FUNCTION reserve_crowded(
  p_quote_id text, p_order_id text, p_merchant_id text, p_network text, p_currency text, p_token text,
  p_price numeric, p_step numeric, p_now timestamptz, p_reserved_until timestamptz,
  OUT receiving_address_id text, OUT address text, OUT mac text, OUT base_units numeric)
LANGUAGE plpgsql AS $$
DECLARE
  v_none constant bit varying := repeat('0', 10000)::bit(10000);
  v_long constant bit varying := repeat('0' || repeat('1', 99), 100)::bit(10000);
  v_window constant bigint := div(p_price, 10000 * p_step);
  v_shift constant integer := (div(p_price, p_step) - v_window * 10000)::integer;
  v_ids text[];
  v_addresses text[];
  v_macs text[];
  v_taken bit varying[];
  v_offsets integer[];
  v_found numeric[] := '{}';
  v_found_at integer[] := '{}';
  v_is_rebuilt boolean := false;
  v_best integer;
  v_at integer;
BEGIN
  LOOP
    IF v_taken IS NULL THEN
      SELECT array_agg(r.id ORDER BY r.created_at, r.id), array_agg(r.address ORDER BY r.created_at, r.id),
        array_agg(r.mac ORDER BY r.created_at, r.id), array_agg(-1 ORDER BY r.created_at, r.id),
        array_agg(CASE WHEN v_shift = 0 THEN coalesce(a.taken::bit varying, v_none)
          ELSE substring(coalesce(a.taken::bit varying, v_none) FROM v_shift + 1)
            || substring(coalesce(b.taken::bit varying, v_none) FROM 1 FOR v_shift) END ORDER BY r.created_at, r.id)
      INTO v_ids, v_addresses, v_macs, v_offsets, v_taken
      FROM receiving_addresses r
      LEFT JOIN amount_windows a ON a.receiving_address_id = r.id AND a.token = p_token AND a.window_number = v_window
      LEFT JOIN amount_windows b ON b.receiving_address_id = r.id AND b.token = p_token AND b.window_number = v_window + 1
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
      PERFORM rebuild_windows(p_merchant_id, p_network, p_token, p_price, p_step);
      v_is_rebuilt := true;
      v_taken := NULL;
      CONTINUE;
    END IF;

    base_units := p_price + v_offsets[v_best] * p_step;
    IF pg_try_advisory_xact_lock(amount_lock(v_addresses[v_best], p_token, base_units)) THEN
      INSERT INTO quotes (id, order_id, receiving_address_id, network, currency, token, address, kind, base_units, created_at, reserved_until)
      VALUES (p_quote_id, p_order_id, v_ids[v_best], p_network, p_currency, p_token, v_addresses[v_best], 'shared', base_units, p_now, p_reserved_until)
      ON CONFLICT DO NOTHING;
      IF FOUND THEN
        receiving_address_id := v_ids[v_best];
        address := v_addresses[v_best];
        mac := v_macs[v_best];
        EXIT;
      END IF;
      v_found := v_found || base_units;
      v_found_at := v_found_at || v_best;
    END IF;
    v_taken[v_best] := set_bit(v_taken[v_best], v_offsets[v_best], 1);
    v_offsets[v_best] := -1;
  END LOOP;

  IF cardinality(v_found) >= 4 THEN
    PERFORM note_taken(v_ids[i], p_network, p_token, v_addresses[i], n, p_step, v_found)
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
  p_price numeric, p_step numeric, p_now timestamptz, p_reserved_until timestamptz,
  OUT receiving_address_id text, OUT address text, OUT kind text, OUT mac text, OUT base_units numeric)
LANGUAGE plpgsql AS $$
BEGIN
  kind := 'dedicated';
  base_units := p_price;
  LOOP
    SELECT r.id, r.address, r.mac INTO receiving_address_id, address, mac FROM receiving_addresses r
    WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.kind = 'dedicated'
      AND r.paused_at IS NULL AND r.removed_at IS NULL AND r.rests_until <= p_now
    ORDER BY r.rests_until LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED;
    EXIT WHEN NOT FOUND;
    INSERT INTO quotes (id, order_id, receiving_address_id, network, currency, token, address, kind, base_units, created_at, reserved_until)
    VALUES (p_quote_id, p_order_id, receiving_address_id, p_network, p_currency, p_token, address, kind, base_units, p_now, p_reserved_until)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
      UPDATE receiving_addresses r SET rests_until = p_reserved_until WHERE r.id = receiving_address_id;
      RETURN;
    END IF;
    -- Its last quote outlives its time, as while a payment is being confirmed: ask again later.
    UPDATE receiving_addresses r SET rests_until = p_now + interval '10 minutes' WHERE r.id = receiving_address_id;
  END LOOP;

  kind := 'shared';
  FOR receiving_address_id, address, mac IN
    SELECT r.id, r.address, r.mac FROM receiving_addresses r
    WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.kind = 'shared'
      AND r.paused_at IS NULL AND r.removed_at IS NULL
      AND NOT EXISTS (
        SELECT FROM quotes q
        WHERE q.address = r.address AND q.base_units = p_price AND q.token = p_token AND q.network = p_network
          AND q.released_at IS NULL AND q.kind = 'shared')
    ORDER BY r.created_at, r.id
  LOOP
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(amount_lock(address, p_token, p_price));
    INSERT INTO quotes (id, order_id, receiving_address_id, network, currency, token, address, kind, base_units, created_at, reserved_until)
    VALUES (p_quote_id, p_order_id, receiving_address_id, p_network, p_currency, p_token, address, kind, base_units, p_now, p_reserved_until)
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
    s.id, s.address, s.mac
  INTO v
  FROM api_keys k JOIN merchants m ON m.id = k.merchant_id
  CROSS JOIN LATERAL (SELECT date_trunc('second', p_now + make_interval(secs => coalesce(p_expires_in, m.expires_in_seconds)) + interval '999 milliseconds') AS expires_at) x
  LEFT JOIN LATERAL (
    SELECT r.id, r.address, r.mac FROM receiving_addresses r
    WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.kind = 'shared'
      AND r.paused_at IS NULL AND r.removed_at IS NULL
      AND NOT EXISTS (
        SELECT FROM quotes q
        WHERE q.address = r.address AND q.base_units = p_amount AND q.token = p_token AND q.network = p_network
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
  IF v.id IS NOT NULL AND NOT v.has_dedicated AND pg_try_advisory_xact_lock(amount_lock(v.address, p_token, p_amount)) THEN
    INSERT INTO quotes (id, order_id, receiving_address_id, network, currency, token, address, kind, base_units, created_at, reserved_until)
    VALUES (p_quote_id, p_order_id, v.id, p_network, p_currency, p_token, v.address, 'shared', p_amount, p_now, v.reserved_until)
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
  FROM reserve_quote(p_quote_id, p_order_id, p_merchant_id, p_network, p_currency, p_token, p_amount, p_step,
    p_now, v.reserved_until) r;
END
$$;
--> statement-breakpoint

-- A bucket is the time at which it will be full (GCRA). Takes up to p_wanted tokens, as many as there are.
CREATE FUNCTION take_tokens(p_key text, p_burst integer, p_interval_ms float8, p_wanted integer, p_now timestamptz,
  OUT granted integer, OUT full_ms float8)
LANGUAGE plpgsql AS $$
DECLARE
  v_now_ms constant float8 := extract(epoch FROM p_now) * 1000;
BEGIN
  INSERT INTO rate_limits (key, full_at) VALUES (p_key, p_now) ON CONFLICT (key) DO NOTHING;
  SELECT greatest(extract(epoch FROM l.full_at) * 1000, v_now_ms) INTO full_ms FROM rate_limits l WHERE l.key = p_key FOR UPDATE;
  full_ms := coalesce(full_ms, v_now_ms);
  granted := greatest(0, least(p_wanted, floor((v_now_ms + p_burst * p_interval_ms - full_ms) / p_interval_ms + 0.000001)));
  IF granted > 0 THEN
    full_ms := full_ms + granted * p_interval_ms;
    INSERT INTO rate_limits (key, full_at) VALUES (p_key, to_timestamp(full_ms / 1000))
    ON CONFLICT (key) DO UPDATE SET full_at = excluded.full_at;
  END IF;
END
$$;
