-- Makes orders with their quotes, many in one statement and one commit: each is made, or refused for its own reason, alone.
-- `outcome` of each, by its place in p_orders (from 1), in whatever order: 'made'; 'used' where the merchant has used the mch_order_id before,
-- also earlier in p_orders, or for an order that is deleted since; or why nothing was made: 'deadKey', 'networkClosed' (`problem` says why), 'notOffered',
-- 'tooLittle' or 'tooMuch' (`problem` is the least or the most in millionths), 'noAddress', 'allTaken'.
-- Orders are inserted in the order of their numbers, so that two calls never wait for each other; all else waits for nobody.
-- Small statements over arrays instead of one large one with joins: what a call costs before its first order is half of it, and
-- their plans stay good whatever the tables hold.
CREATE OR REPLACE FUNCTION create_orders(p_orders jsonb, p_now timestamptz)
RETURNS TABLE (place bigint, outcome text, problem text, expires_ms float8,
  receiving_address_id text, address text, kind text, mac text, base_units text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v record;
  q record;
  -- What orders of one key on one network have in common, read once; and which of these an order belongs to, by its place.
  v_count integer := 0;
  v_group integer[];
  v_expires_in integer[];
  v_late_window integer[];
  v_problems text[];
  -- What the merchant does not offer, as ",bsc USDT,…,", and the least and the most in millionths.
  v_off text[];
  v_least bigint[];
  v_most bigint[];
  v_address_ids text[];
  v_addresses text[];
  v_families text[];
  v_macs text[];
  v_levels integer[];
  -- Whether one of their own waits: those come first. Which are picked and locked, and the place of each in its group.
  v_has_own boolean[];
  v_own_ids text[];
  v_own_groups integer[];
  v_own_turns bigint[];
  v_merchants text[];
  v_key text;
  v_network text;
  v_owned text[];
  v_owned_ids text[];
  v_owned_addresses text[];
  v_owned_macs text[];
  v_made text[];
  v_expires_at timestamptz[];
  v_reserved text[];
  v_reserved_units text[];
  v_notes jsonb;
BEGIN
  FOR v IN
    SELECT w.* FROM ROWS FROM (jsonb_to_recordset(p_orders) AS (key_id text, merchant_id text, network text))
      WITH ORDINALITY AS w (key_id, merchant_id, network, place)
    ORDER BY w.key_id, w.network
  LOOP
    IF v_key IS DISTINCT FROM v.key_id OR v_network IS DISTINCT FROM v.network THEN
      v_count := v_count + 1;
      v_key := v.key_id;
      v_network := v.network;
      v_merchants[v_count] := v.merchant_id;
      SELECT m.expires_in_seconds, m.late_window_seconds, m.least_micro, m.most_micro, array_to_string(m.off_methods, ',') AS off INTO q
      FROM api_keys k JOIN merchants m ON m.id = k.merchant_id
      WHERE k.id = v.key_id AND k.merchant_id = v.merchant_id AND is_live(k.ends_at, p_now);
      v_expires_in[v_count] := q.expires_in_seconds;
      v_late_window[v_count] := q.late_window_seconds;
      v_off[v_count] := ',' || q.off || ',';
      v_least[v_count] := q.least_micro;
      v_most[v_count] := q.most_micro;
      SELECT network_refusal(c.closed_at, c.problem, c.heard_at, p_now) AS problem INTO q FROM cursors c WHERE c.network = v.network;
      v_problems[v_count] := q.problem;
      -- In the order of an index: who has none must not wait while the rows of who has many are looked through.
      SELECT d.rests_until INTO q FROM receiving_addresses d
      WHERE d.merchant_id = v.merchant_id AND d.network = v.network AND d.kind = 'dedicated'
        AND d.paused_at IS NULL AND d.removed_at IS NULL
      ORDER BY d.rests_until LIMIT 1;
      v_has_own[v_count] := coalesce(q.rests_until < p_now - interval '2 minutes', false);
      v_address_ids[v_count] := NULL;
      -- The usual case: no dedicated address waits, and the first amount that all shared ones offer is free on the first of them.
      IF NOT v_has_own[v_count] THEN
        SELECT r.id, r.address, r.family, r.mac, offered_level(r.guard_level, r.guarded_until, p_now) AS level, EXISTS (
            SELECT FROM receiving_addresses s
            WHERE s.merchant_id = r.merchant_id AND s.network = r.network AND s.kind = 'shared' AND s.paused_at IS NULL AND s.removed_at IS NULL
              AND offered_level(s.guard_level, s.guarded_until, p_now) <> offered_level(r.guard_level, r.guarded_until, p_now)) AS is_mixed
        INTO q FROM receiving_addresses r
        WHERE r.merchant_id = v.merchant_id AND r.network = v.network AND r.kind = 'shared'
          AND r.paused_at IS NULL AND r.removed_at IS NULL
        ORDER BY r.created_at, r.id LIMIT 1;
        v_address_ids[v_count] := CASE WHEN NOT q.is_mixed THEN q.id END;
        v_levels[v_count] := q.level;
        v_addresses[v_count] := q.address;
        v_families[v_count] := q.family;
        v_macs[v_count] := q.mac;
      END IF;
    END IF;
    v_group[v.place] := v_count;
  END LOOP;

  WITH made AS (
    INSERT INTO orders AS o (id, merchant_id, api_key_id, mch_order_id, network, currency, amount_units, price, quote_id, status,
      notify_url, redirect_url, locale, subject, metadata, expires_at, created_at, changed_at)
    SELECT w.id, w.merchant_id, w.key_id, w.mch_order_id, w.network, w.currency, w.amount, w.price, w.quote_id, 'pending',
      w.notify_url, w.redirect_url, w.locale, w.subject, w.metadata,
      date_trunc('second', p_now + make_interval(secs => coalesce(w.expires_in, v_expires_in[v_group[w.place]])) + interval '999 milliseconds'),
      p_now, p_now
    FROM ROWS FROM (jsonb_to_recordset(p_orders) AS (
        id text, quote_id text, key_id text, merchant_id text, mch_order_id text, network text, currency text, amount numeric, price jsonb,
        notify_url text, redirect_url text, locale text, subject text, metadata text, expires_in integer, step numeric))
      WITH ORDINALITY AS w (id, quote_id, key_id, merchant_id, mch_order_id, network, currency, amount, price,
        notify_url, redirect_url, locale, subject, metadata, expires_in, step, place)
    WHERE v_late_window[v_group[w.place]] IS NOT NULL AND v_problems[v_group[w.place]] IS NULL
      AND order_refusal(w.network, w.currency, div(w.amount, w.step), v_off[v_group[w.place]], v_least[v_group[w.place]],
        v_most[v_group[w.place]]) IS NULL
      AND NOT EXISTS (SELECT FROM used_order_numbers u WHERE u.merchant_id = w.merchant_id AND u.mch_order_id = w.mch_order_id
        AND u.dialect = 'api')
    ORDER BY w.merchant_id, w.mch_order_id, w.place
    ON CONFLICT (merchant_id, mch_order_id, dialect) DO NOTHING
    RETURNING o.id, o.expires_at)
  SELECT array_agg(id), array_agg(expires_at) INTO v_made, v_expires_at FROM made;

  WITH reserved AS (
    INSERT INTO quotes AS q (id, merchant_id, order_id, receiving_address_id, network, family, currency, token, address, kind, base_units,
      micro_units, created_at, reserved_until)
    SELECT w.quote_id, w.merchant_id, w.id, v_address_ids[v_group[w.place]], w.network, v_families[v_group[w.place]], w.currency, w.token,
      v_addresses[v_group[w.place]], 'shared', o.micro * w.step, o.micro, p_now,
      v_expires_at[array_position(v_made, w.id)] + make_interval(secs => greatest(v_late_window[v_group[w.place]], 3600))
    FROM ROWS FROM (jsonb_to_recordset(p_orders) AS (
        id text, quote_id text, merchant_id text, network text, currency text, token text, amount numeric, step numeric))
      WITH ORDINALITY AS w (id, quote_id, merchant_id, network, currency, token, amount, step, place)
      CROSS JOIN LATERAL (SELECT first_offered(div(w.amount, w.step)::bigint, v_levels[v_group[w.place]]) AS micro) o
    -- Only for an order that was made: a lock that is taken in vain sends others past a free amount.
    WHERE CASE WHEN w.id = ANY (v_made) AND v_address_ids[v_group[w.place]] IS NOT NULL AND o.micro < div(w.amount, w.step) + 10000
      THEN pg_try_advisory_xact_lock(hold_lock(v_families[v_group[w.place]], v_addresses[v_group[w.place]], o.micro)) END
    ON CONFLICT DO NOTHING
    RETURNING q.order_id, q.base_units)
  SELECT array_agg(order_id), array_agg(base_units::text) INTO v_reserved, v_reserved_units FROM reserved;

  -- As overlaps_hold for each of them, asked once for all; an order whose hold overlaps gets the next amount, from reserve_quote below.
  IF v_reserved IS NOT NULL AND (
    EXISTS (
      SELECT FROM unnest(v_merchants) AS m (id) CROSS JOIN LATERAL (
        SELECT q.released_at FROM quotes q
        WHERE q.merchant_id = m.id AND q.released_at IS NOT NULL ORDER BY q.released_at DESC LIMIT 1) latest
      WHERE latest.released_at >= p_now)
    OR EXISTS (SELECT FROM quotes q WHERE q.shares_amount AND q.released_at IS NULL)) THEN
    WITH overlapping AS (
      DELETE FROM quotes q
      WHERE q.order_id = ANY (v_reserved) AND q.merchant_id = ANY (v_merchants)
        AND overlaps_hold(q.merchant_id, q.family, q.address, q.micro_units, p_now)
      RETURNING q.order_id)
    SELECT array_agg(r.id), array_agg(r.units) INTO v_reserved, v_reserved_units
    FROM unnest(v_reserved, v_reserved_units) AS r (id, units) WHERE r.id NOT IN (SELECT order_id FROM overlapping);
  END IF;

  IF true = ANY (v_has_own) THEN
    WITH wanted AS MATERIALIZED (
      SELECT v_group[w.place] AS g, min(w.merchant_id) AS merchant_id, min(w.network) AS network, count(*) AS orders
      FROM ROWS FROM (jsonb_to_recordset(p_orders) AS (id text, merchant_id text, network text))
        WITH ORDINALITY AS w (id, merchant_id, network, place)
      WHERE v_has_own[v_group[w.place]] AND w.id = ANY (v_made)
      GROUP BY 1),
    picked AS MATERIALIZED (
      SELECT w.g, o.* FROM wanted w
      CROSS JOIN LATERAL pick_own(w.merchant_id, w.network, '{}', w.orders, p_now) WITH ORDINALITY AS o (id, address, family, mac, turn))
    SELECT array_agg(p.id), array_agg(p.g), array_agg(p.turn)
    INTO v_own_ids, v_own_groups, v_own_turns
    FROM (
      SELECT p.id, p.g, row_number() OVER (PARTITION BY p.g ORDER BY p.turn) AS turn FROM picked p
      WHERE pg_try_advisory_xact_lock(hold_lock(p.family, p.address, -1))) p;

    -- A statement of its own: what was made a customer's until the lock was had is seen.
    WITH wanted AS (
      SELECT w.*, v_group[w.place] AS g, row_number() OVER (PARTITION BY v_group[w.place] ORDER BY w.place) AS turn
      FROM ROWS FROM (jsonb_to_recordset(p_orders) AS (
          id text, quote_id text, merchant_id text, network text, currency text, token text, amount numeric, step numeric))
        WITH ORDINALITY AS w (id, quote_id, merchant_id, network, currency, token, amount, step, place)
      WHERE v_has_own[v_group[w.place]] AND w.id = ANY (v_made)),
    picked AS (
      SELECT r.*, o.g, o.turn FROM unnest(v_own_ids, v_own_groups, v_own_turns) AS o (id, g, turn)
      CROSS JOIN LATERAL (
        SELECT r.id, r.merchant_id, r.address, r.family FROM receiving_addresses r WHERE r.id = o.id) r
      WHERE NOT EXISTS (
        SELECT FROM deposit_addresses d WHERE d.merchant_id = r.merchant_id AND d.family = r.family AND d.address = r.address OFFSET 0)
        AND is_cooled_down(r.merchant_id, r.family, r.address, p_now)),
    reserved AS (
      INSERT INTO quotes AS q (id, merchant_id, order_id, receiving_address_id, network, family, currency, token, address, kind, base_units,
        micro_units, created_at, reserved_until)
      SELECT w.quote_id, w.merchant_id, w.id, p.id, w.network, p.family, w.currency, w.token, p.address, 'dedicated',
        w.amount, div(w.amount, w.step)::bigint, p_now,
        v_expires_at[array_position(v_made, w.id)] + make_interval(secs => v_late_window[w.g])
      FROM wanted w JOIN picked p ON p.g = w.g AND p.turn = w.turn
      ON CONFLICT DO NOTHING
      RETURNING q.order_id, q.merchant_id, q.receiving_address_id, q.reserved_until),
    rested AS (
      UPDATE receiving_addresses r SET rests_until = q.reserved_until FROM reserved q
      WHERE r.id = q.receiving_address_id AND r.merchant_id = q.merchant_id
      RETURNING q.order_id, r.id, r.address, r.mac)
    SELECT array_agg(t.order_id), array_agg(t.id), array_agg(t.address), array_agg(t.mac)
    INTO v_owned, v_owned_ids, v_owned_addresses, v_owned_macs
    FROM rested t;
  END IF;

  FOR v IN
    SELECT w.*, v_group[w.place] AS g, array_position(v_owned, w.id) AS own, array_position(v_reserved, w.id) AS shared, v_expires_at[array_position(v_made, w.id)] AS expires_at
    FROM ROWS FROM (jsonb_to_recordset(p_orders) AS (
        id text, quote_id text, merchant_id text, mch_order_id text, network text, currency text, token text, amount text, step numeric))
      WITH ORDINALITY AS w (id, quote_id, merchant_id, mch_order_id, network, currency, token, amount, step, place)
  LOOP
    place := v.place;
    problem := NULL;
    expires_ms := extract(epoch FROM v.expires_at) * 1000;
    IF v.shared IS NOT NULL OR v.own IS NOT NULL THEN
      outcome := 'made';
      -- A group has one of the two.
      receiving_address_id := coalesce(v_owned_ids[v.own], v_address_ids[v.g]);
      address := coalesce(v_owned_addresses[v.own], v_addresses[v.g]);
      kind := CASE WHEN v.own IS NULL THEN 'shared' ELSE 'dedicated' END;
      mac := coalesce(v_owned_macs[v.own], v_macs[v.g]);
      base_units := CASE WHEN v.own IS NULL THEN v_reserved_units[v.shared] ELSE v.amount END;
    ELSIF v.expires_at IS NOT NULL THEN
      SELECT * INTO q FROM reserve_quote(v.quote_id, v.id, v.merchant_id, v.network, v.currency, v.token, div(v.amount::numeric, v.step)::bigint,
        v.step, p_now, v.expires_at + make_interval(secs => v_late_window[v.g]));
      outcome := coalesce(q.refused, 'made');
      receiving_address_id := q.receiving_address_id;
      address := q.address;
      kind := q.kind;
      mac := q.mac;
      base_units := q.base_units::text;
      v_notes := coalesce(v_notes, '[]') || coalesce(q.notes, '[]');
      IF q.refused IS NOT NULL THEN
        DELETE FROM orders o WHERE o.id = v.id AND o.merchant_id = v.merchant_id;
      END IF;
    ELSIF v_late_window[v.g] IS NULL THEN
      outcome := 'deadKey';
    ELSIF (v_problems[v.g] IS NOT NULL
        OR order_refusal(v.network, v.currency, div(v.amount::numeric, v.step), v_off[v.g], v_least[v.g], v_most[v.g]) IS NOT NULL)
      AND NOT EXISTS (SELECT FROM used_order_numbers u WHERE u.merchant_id = v.merchant_id AND u.mch_order_id = v.mch_order_id
        AND u.dialect = 'api')
      AND NOT EXISTS (SELECT FROM orders o WHERE o.merchant_id = v.merchant_id AND o.mch_order_id = v.mch_order_id
        AND o.dialect = 'api') THEN
      outcome := coalesce(
        order_refusal(v.network, v.currency, div(v.amount::numeric, v.step), v_off[v.g], v_least[v.g], v_most[v.g]), 'networkClosed');
      problem := CASE outcome WHEN 'tooLittle' THEN v_least[v.g]::text WHEN 'tooMuch' THEN v_most[v.g]::text ELSE v_problems[v.g] END;
    ELSE
      outcome := 'used';
    END IF;
    RETURN NEXT;
  END LOOP;

  IF v_notes IS NOT NULL THEN
    PERFORM note_held(n.merchant_id, n.family, n.address, n.place, n.taken)
    FROM (SELECT DISTINCT * FROM jsonb_to_recordset(v_notes) AS n (merchant_id text, family text, address text, place bigint, taken bigint[])) n;
  END IF;
END
$$;
