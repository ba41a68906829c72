-- Reserves an amount for what is missing from a quote at a shared address, which a transfer paid in part: the first free amount from the
-- missing one upwards, at the same address, for as long as the quote is held. p_rest: id, order_id, merchant_id, asked_units (what is
-- missing), completes_quote_id and completes_transfer_id of the new quote.
-- Returns false if no amount is free, or the address was removed. Never waits, like reserve_quotes.
CREATE OR REPLACE FUNCTION reserve_rest(p_rest jsonb, p_now timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_rest constant quotes := jsonb_populate_record(NULL::quotes, p_rest);
  v_wanted quotes;
  v_level integer;
  v_per_micro numeric;
  v_micro bigint;
BEGIN
  SELECT q.* INTO v_wanted FROM quotes q
  WHERE q.order_id = v_rest.order_id AND q.merchant_id = v_rest.merchant_id AND q.id = v_rest.completes_quote_id AND q.kind = 'shared';
  SELECT offered_level(r.guard_level, r.guarded_until, p_now) INTO v_level FROM receiving_addresses r
  WHERE r.id = v_wanted.receiving_address_id AND r.merchant_id = v_wanted.merchant_id AND r.removed_at IS NULL;
  IF v_level IS NULL THEN
    RETURN false;
  END IF;
  v_per_micro := div(v_wanted.base_units, v_wanted.micro_units);
  v_wanted.id := v_rest.id;
  v_wanted.micro_units := ceil(v_rest.asked_units / v_per_micro);
  v_wanted.base_units := v_wanted.micro_units * v_per_micro;
  FOREACH v_micro IN ARRAY free_at_address(
    v_wanted.merchant_id, v_wanted.family, v_wanted.address, v_level, v_wanted.micro_units, 10) LOOP
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(hold_lock(v_wanted.family, v_wanted.address, v_micro));
    CONTINUE WHEN cardinality(insert_shared(ARRAY[place_quote(
      v_wanted, v_wanted.receiving_address_id, v_wanted.family, v_wanted.address, 'shared', v_micro, p_now)], p_now)) = 0;
    UPDATE quotes q SET asked_units = v_rest.asked_units, completes_quote_id = v_rest.completes_quote_id,
      completes_transfer_id = v_rest.completes_transfer_id
    WHERE q.order_id = v_rest.order_id AND q.merchant_id = v_rest.merchant_id AND q.id = v_rest.id;
    RETURN true;
  END LOOP;
  RETURN false;
END
$$;
