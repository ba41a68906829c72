-- Reserves an idle dedicated address for an order, otherwise the first free amount on a shared address. If it reserves nothing, `refused`
-- is 'noAddress' (the merchant offers none on the network) or 'allTaken'. `notes` of reserve_crowded are returned.
-- Never waits, however often it is called in a transaction: an address or amount that another transaction is reserving is skipped.
-- OFFSET 0: each row looks up its own quote. As a join, all live quotes of the merchant would be read for each order while the table has
-- no statistics.
CREATE OR REPLACE FUNCTION reserve_quote(
  p_quote_id text, p_order_id text, p_merchant_id text, p_network text, p_currency text, p_token text,
  p_price bigint, p_step numeric, p_now timestamptz, p_reserved_until timestamptz,
  OUT receiving_address_id text, OUT address text, OUT kind text, OUT mac text, OUT base_units numeric, OUT refused text, OUT notes jsonb)
LANGUAGE plpgsql AS $$
DECLARE
  v_family text;
  v_passed text[] := '{}';
  v_micro bigint;
BEGIN
  kind := 'dedicated';
  base_units := p_price * p_step;
  LOOP
    SELECT r.id, r.address, r.family, r.mac INTO receiving_address_id, address, v_family, mac
    FROM pick_own(p_merchant_id, p_network, v_passed, 1, p_now) r;
    EXIT WHEN NOT FOUND;
    v_passed := v_passed || receiving_address_id;
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(hold_lock(v_family, address, -1));
    -- A deposit address belongs to its customer for ever, on all networks of the family, including those added later.
    CONTINUE WHEN EXISTS (SELECT FROM deposit_addresses d
      WHERE d.merchant_id = p_merchant_id AND d.family = v_family AND d.address = reserve_quote.address);
    CONTINUE WHEN NOT is_cooled_down(p_merchant_id, v_family, address, p_now);
    INSERT INTO quotes (id, merchant_id, order_id, receiving_address_id, network, family, currency, token, address, kind, base_units, micro_units, created_at, reserved_until)
    VALUES (p_quote_id, p_merchant_id, p_order_id, receiving_address_id, p_network, v_family, p_currency, p_token, address, kind, base_units, p_price, p_now, p_reserved_until)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
      UPDATE receiving_addresses r SET rests_until = p_reserved_until WHERE r.id = receiving_address_id AND r.merchant_id = p_merchant_id;
      RETURN;
    END IF;
  END LOOP;

  -- The late window of a shared amount is at least an hour.
  SELECT greatest(p_reserved_until, o.expires_at + interval '1 hour') INTO p_reserved_until
  FROM orders o WHERE o.id = p_order_id AND o.merchant_id = p_merchant_id;
  kind := 'shared';
  -- The first amount that any shared address offers, on those that offer it: usually the price on all of them.
  FOR receiving_address_id, address, v_family, mac, v_micro IN
    SELECT r.id, r.address, r.family, r.mac, r.micro FROM (
      SELECT a.*, min(amount_rank((a.micro - p_price)::integer)) OVER () AS first_rank FROM (
        SELECT r.*, first_offered(p_price, offered_level(r.guard_level, r.guarded_until, p_now)) AS micro FROM receiving_addresses r
        WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.kind = 'shared'
          AND r.paused_at IS NULL AND r.removed_at IS NULL) a) r
    WHERE amount_rank((r.micro - p_price)::integer) = r.first_rank AND r.micro < p_price + 10000
      AND NOT EXISTS (
        SELECT FROM quotes q
        WHERE q.merchant_id = p_merchant_id AND q.address = r.address AND q.micro_units = r.micro AND q.family = r.family
          AND q.released_at IS NULL AND q.kind = 'shared' AND NOT q.shares_amount OFFSET 0)
    ORDER BY r.created_at, r.id
  LOOP
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(hold_lock(v_family, address, v_micro));
    base_units := v_micro * p_step;
    INSERT INTO quotes (id, merchant_id, order_id, receiving_address_id, network, family, currency, token, address, kind, base_units, micro_units, created_at, reserved_until)
    VALUES (p_quote_id, p_merchant_id, p_order_id, receiving_address_id, p_network, v_family, p_currency, p_token, address, kind, base_units, v_micro, p_now, p_reserved_until)
    ON CONFLICT DO NOTHING;
    CONTINUE WHEN NOT FOUND;
    IF NOT overlaps_hold(p_merchant_id, v_family, address, v_micro, p_now) THEN
      RETURN;
    END IF;
    DELETE FROM quotes q WHERE q.order_id = p_order_id AND q.merchant_id = p_merchant_id AND q.id = p_quote_id;
  END LOOP;

  SELECT c.receiving_address_id, c.address, c.mac, c.base_units, c.notes
  INTO receiving_address_id, address, mac, base_units, notes
  FROM reserve_crowded(p_quote_id, p_order_id, p_merchant_id, p_network, p_currency, p_token, p_price, p_step, p_now, p_reserved_until) c;
  IF receiving_address_id IS NOT NULL THEN
    RETURN;
  END IF;
  refused := CASE WHEN EXISTS (
    SELECT FROM receiving_addresses r
    WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.paused_at IS NULL AND r.removed_at IS NULL)
    THEN 'allTaken' ELSE 'noAddress' END;
END
$$;
