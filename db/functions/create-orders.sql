-- Makes orders with their quotes, many in one statement and one commit: each is made, or refused for its own reason, alone.
-- `outcome` of each, by its place in p_orders (from 1): 'made'; 'used' where the merchant has used the mch_order_id before,
-- also earlier in p_orders; or why nothing was made: 'deadKey', 'networkClosed' (`problem` says why), 'noAddress', 'allTaken'.
-- Orders are inserted in the order of their numbers, so that two calls never wait for each other; all else waits for nobody.
CREATE OR REPLACE FUNCTION create_orders(p_orders jsonb, p_now timestamptz)
RETURNS TABLE (place bigint, outcome text, problem text, expires_ms float8,
  receiving_address_id text, address text, kind text, mac text, base_units text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v record;
  q record;
  v_notes jsonb := '[]';
BEGIN
  FOR v IN
    WITH looked AS MATERIALIZED (
      SELECT w.*, w.amount::numeric AS units, div(w.amount::numeric, w.step::numeric)::bigint AS price,
        k.id IS NOT NULL AS is_live, x.expires_at, x.expires_at + make_interval(secs => m.late_window_seconds) AS reserved_until,
        coalesce(c.problem, CASE WHEN c.heard_at < p_now - interval '5 minutes'
          THEN 'Nobody has watched this network since ' || to_char(c.heard_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC' END) AS problem,
        s.id AS address_id, s.address, s.family, s.mac
      FROM ROWS FROM (jsonb_to_recordset(p_orders) AS (
          id text, quote_id text, key_id text, merchant_id text, mch_order_id text, network text, currency text, token text,
          amount text, step text, notify_url text, redirect_url text, locale text, expires_in integer))
        WITH ORDINALITY AS w (id, quote_id, key_id, merchant_id, mch_order_id, network, currency, token,
          amount, step, notify_url, redirect_url, locale, expires_in, place)
      LEFT JOIN api_keys k ON k.id = w.key_id AND k.merchant_id = w.merchant_id AND (k.ends_at IS NULL OR k.ends_at > p_now)
      LEFT JOIN merchants m ON m.id = k.merchant_id
      LEFT JOIN cursors c ON c.network = w.network
      CROSS JOIN LATERAL (
        SELECT date_trunc('second', p_now + make_interval(secs => coalesce(w.expires_in, m.expires_in_seconds))
          + interval '999 milliseconds') AS expires_at) x
      -- The usual case: no dedicated address waits, and the price itself is free on a shared one.
      LEFT JOIN LATERAL (
        SELECT r.id, r.address, r.family, r.mac FROM receiving_addresses r
        WHERE r.merchant_id = w.merchant_id AND r.network = w.network AND r.kind = 'shared'
          AND r.paused_at IS NULL AND r.removed_at IS NULL
          AND NOT EXISTS (
            SELECT FROM quotes q
            WHERE q.merchant_id = w.merchant_id AND q.address = r.address AND q.micro_units = div(w.amount::numeric, w.step::numeric)::bigint
              AND q.currency = w.currency AND q.family = r.family AND q.released_at IS NULL AND q.kind = 'shared')
          AND NOT EXISTS (
            SELECT FROM receiving_addresses d
            WHERE d.merchant_id = w.merchant_id AND d.network = w.network AND d.kind = 'dedicated'
              AND d.paused_at IS NULL AND d.removed_at IS NULL AND d.rests_until <= p_now)
        ORDER BY r.created_at, r.id LIMIT 1) s ON true),
    made AS (
      INSERT INTO orders AS o (id, merchant_id, api_key_id, mch_order_id, network, currency, amount_units, quote_id, status,
        notify_url, redirect_url, locale, expires_at, created_at, changed_at)
      SELECT id, merchant_id, key_id, mch_order_id, network, currency, units, quote_id, 'pending',
        notify_url, redirect_url, locale, expires_at, p_now, p_now
      FROM looked WHERE is_live AND problem IS NULL
      ORDER BY merchant_id, mch_order_id, place
      ON CONFLICT (merchant_id, mch_order_id) DO NOTHING
      RETURNING o.id),
    free AS MATERIALIZED (
      SELECT DISTINCT ON (l.family, l.address, l.currency, l.price) l.*
      FROM looked l JOIN made ON made.id = l.id WHERE l.address_id IS NOT NULL
      ORDER BY l.family, l.address, l.currency, l.price, l.place),
    reserved AS (
      INSERT INTO quotes AS q (id, merchant_id, order_id, receiving_address_id, network, family, currency, token, address, kind, base_units,
        micro_units, created_at, reserved_until)
      SELECT quote_id, merchant_id, id, address_id, network, family, currency, token, address, 'shared', units, price, p_now, reserved_until
      FROM free WHERE pg_try_advisory_xact_lock(amount_lock(address, currency, price))
      ON CONFLICT DO NOTHING
      RETURNING q.order_id)
    SELECT l.*, made.id IS NOT NULL AS is_made, reserved.order_id IS NOT NULL AS is_reserved
    FROM looked l LEFT JOIN made ON made.id = l.id LEFT JOIN reserved ON reserved.order_id = l.id
    ORDER BY l.place
  LOOP
    place := v.place;
    problem := NULL;
    expires_ms := extract(epoch FROM v.expires_at) * 1000;
    IF v.is_reserved THEN
      outcome := 'made';
      receiving_address_id := v.address_id;
      address := v.address;
      kind := 'shared';
      mac := v.mac;
      base_units := v.amount;
    ELSIF v.is_made THEN
      SELECT * INTO q FROM reserve_quote(v.quote_id, v.id, v.merchant_id, v.network, v.currency, v.token, v.price,
        v.step::numeric, p_now, v.reserved_until);
      outcome := coalesce(q.refused, 'made');
      receiving_address_id := q.receiving_address_id;
      address := q.address;
      kind := q.kind;
      mac := q.mac;
      base_units := q.base_units::text;
      v_notes := v_notes || coalesce(q.notes, '[]');
      IF q.refused IS NOT NULL THEN
        DELETE FROM orders o WHERE o.id = v.id AND o.merchant_id = v.merchant_id;
      END IF;
    ELSIF NOT v.is_live THEN
      outcome := 'deadKey';
    ELSIF v.problem IS NOT NULL AND NOT EXISTS (
        SELECT FROM orders o WHERE o.merchant_id = v.merchant_id AND o.mch_order_id = v.mch_order_id) THEN
      outcome := 'networkClosed';
      problem := v.problem;
    ELSE
      outcome := 'used';
    END IF;
    RETURN NEXT;
  END LOOP;

  PERFORM note_taken(n.merchant_id, n.family, n.currency, n.address, n.place, n.taken)
  FROM (SELECT DISTINCT * FROM jsonb_to_recordset(v_notes) AS n (merchant_id text, family text, currency text, address text, place bigint, taken bigint[])) n;
END
$$;
