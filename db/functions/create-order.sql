-- An order is made in one round trip: create_order inserts it and reserves its quote in the same statement.
-- Errors that callers tell apart: SG001 the API key is dead, SG002 no receiving address, SG003 nothing is free,
-- SG004 the network takes no new orders (the message says why).
-- Makes an order with its quote: one look at everything it needs, then two inserts in the usual case. Makes nothing where the merchant has used p_mch_order_id before: is_new is false then.
CREATE OR REPLACE FUNCTION create_order(
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
