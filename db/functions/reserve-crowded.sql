-- Reserves the first free amount of a price that is held itself. The bitmaps show where to look; the unique index decides, and the bits are
-- read again from quotes before the price is refused. Never waits for a bitmap: what is worth recording is returned as `notes`, for note_held
-- once the transaction reserves nothing more. (Keys of the notes: web processes of the previous version pass them on by these names.)
CREATE OR REPLACE FUNCTION reserve_crowded(
  p_quote_id text, p_order_id text, p_merchant_id text, p_network text, p_currency text, p_token text,
  p_price bigint, p_step numeric, p_now timestamptz, p_reserved_until timestamptz,
  OUT receiving_address_id text, OUT address text, OUT mac text, OUT base_units numeric, OUT notes jsonb)
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
  v_held bit varying[];
  v_closed bit varying[];
  v_offsets integer[];
  v_found bigint[] := '{}';
  v_found_at integer[] := '{}';
  v_is_rebuilt boolean := false;
  v_best integer;
  v_at integer;
  v_micro bigint;
BEGIN
  LOOP
    IF v_held IS NULL THEN
      SELECT array_agg(r.id ORDER BY r.created_at, r.id), array_agg(r.address ORDER BY r.created_at, r.id),
        array_agg(r.mac ORDER BY r.created_at, r.id), array_agg(-1 ORDER BY r.created_at, r.id),
        array_agg(CASE WHEN v_shift = 0 THEN coalesce(a.held::bit varying, v_none)
          ELSE substring(coalesce(a.held::bit varying, v_none) FROM v_shift + 1)
            || substring(coalesce(b.held::bit varying, v_none) FROM 1 FOR v_shift) END ORDER BY r.created_at, r.id),
        array_agg(closed_offsets(p_price, offered_level(r.guard_level, r.guarded_until, p_now)) ORDER BY r.created_at, r.id),
        min(r.family)
      INTO v_ids, v_addresses, v_macs, v_offsets, v_held, v_closed, v_family
      FROM receiving_addresses r
      LEFT JOIN amount_bitmaps a ON a.merchant_id = p_merchant_id AND a.family = r.family AND a.address = r.address AND a.window_number = v_window
      LEFT JOIN amount_bitmaps b ON b.merchant_id = p_merchant_id AND b.family = r.family AND b.address = r.address AND b.window_number = v_window + 1
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
        v_held[i] := v_held[i] | v_closed[i];
        IF bit_count(v_held[i] | v_long) < 10000 THEN
          v_at := position(B'0' IN v_held[i] | v_long);
        ELSIF bit_count(v_held[i]) < 10000 THEN
          v_at := position(B'0' IN v_held[i]);
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
      v_is_rebuilt := true;
      FOR i IN 1 .. cardinality(v_ids) LOOP
        v_held[i] := held_amounts(p_merchant_id, v_family, v_addresses[i], p_price);
        v_offsets[i] := -1;
      END LOOP;
      CONTINUE;
    END IF;

    v_micro := p_price + v_offsets[v_best];
    IF pg_try_advisory_xact_lock(hold_lock(v_family, v_addresses[v_best], v_micro)) THEN
      base_units := v_micro * p_step;
      INSERT INTO quotes (id, merchant_id, order_id, receiving_address_id, network, family, currency, token, address, kind, base_units, micro_units, created_at, reserved_until)
      VALUES (p_quote_id, p_merchant_id, p_order_id, v_ids[v_best], p_network, v_family, p_currency, p_token, v_addresses[v_best], 'shared', base_units, v_micro, p_now, p_reserved_until)
      ON CONFLICT DO NOTHING;
      IF NOT FOUND THEN
        v_found := v_found || v_micro;
        v_found_at := v_found_at || v_best;
      ELSIF overlaps_hold(p_merchant_id, v_family, v_addresses[v_best], v_micro, p_now) THEN
        DELETE FROM quotes q WHERE q.order_id = p_order_id AND q.merchant_id = p_merchant_id AND q.id = p_quote_id;
      ELSE
        receiving_address_id := v_ids[v_best];
        address := v_addresses[v_best];
        mac := v_macs[v_best];
        EXIT;
      END IF;
    END IF;
    v_held[v_best] := set_bit(v_held[v_best], v_offsets[v_best], 1);
    v_offsets[v_best] := -1;
  END LOOP;

  IF v_is_rebuilt OR cardinality(v_found) >= 4 THEN
    SELECT jsonb_agg(jsonb_build_object('merchant_id', p_merchant_id, 'family', v_family, 'address', v_addresses[i], 'place', n,
      'taken', CASE WHEN NOT v_is_rebuilt THEN to_jsonb(v_found) END))
    INTO notes
    FROM (SELECT DISTINCT unnest(CASE WHEN v_is_rebuilt THEN array(SELECT generate_subscripts(v_ids, 1)) ELSE v_found_at END) AS i) at_address,
      generate_series(v_window, v_window + CASE WHEN v_shift = 0 THEN 0 ELSE 1 END) n;
  END IF;
END
$$;
