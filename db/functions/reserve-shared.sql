-- Reserves the first free amount at a shared address for each quote of p_wanted. See reserve_quotes.
CREATE OR REPLACE FUNCTION reserve_shared(p_wanted quotes[], p_now timestamptz) RETURNS quotes[] LANGUAGE plpgsql AS $$
DECLARE
  v_held quotes[] := '{}';
  v_left quotes[] := p_wanted;
  v_same quotes[];
  v_placed quotes[] := '{}';
  v_is_retry boolean;
  v_quote quotes;
  v_merchant_id text;
  v_network text;
  v_first record;
  v_micro bigint;
BEGIN
  -- The usual case, without reading other amounts: the price itself at the first address, where all addresses offer the same amounts.
  FOREACH v_quote IN ARRAY p_wanted LOOP
    IF v_quote.merchant_id IS DISTINCT FROM v_merchant_id OR v_quote.network IS DISTINCT FROM v_network THEN
      v_merchant_id := v_quote.merchant_id;
      v_network := v_quote.network;
      SELECT * INTO v_first FROM shared_address(v_merchant_id, v_network, p_now);
    END IF;
    v_micro := first_offered(v_quote.micro_units, v_first.level);
    IF v_micro < v_quote.micro_units + 10000 AND pg_try_advisory_xact_lock(hold_lock(v_first.family, v_first.address, v_micro)) THEN
      v_placed := v_placed || place_quote(v_quote, v_first.id, v_first.family, v_first.address, 'shared', v_micro, p_now);
    END IF;
  END LOOP;
  IF cardinality(v_placed) > 0 THEN
    v_held := insert_shared(v_placed, p_now);
    v_left := without_held(v_left, v_held);
  END IF;

  WHILE cardinality(v_left) > 0 LOOP
    v_same := of_one_price(v_left);
    v_left := without_held(v_left, v_same);
    v_is_retry := false;
    LOOP
      v_placed := free_amounts(v_same, v_is_retry, p_now);
      EXIT WHEN cardinality(v_placed) = 0;
      v_placed := insert_shared(v_placed, p_now);
      v_held := v_held || v_placed;
      v_same := without_held(v_same, v_placed);
      EXIT WHEN cardinality(v_same) = 0;
      v_is_retry := true;
    END LOOP;
  END LOOP;
  RETURN v_held;
END
$$;
