-- Reserves the first free amount at a shared address for each quote of p_wanted. See reserve_quotes.
CREATE OR REPLACE FUNCTION reserve_shared(p_wanted quotes[], p_now timestamptz) RETURNS quotes[] LANGUAGE plpgsql AS $$
DECLARE
  v_held quotes[] := '{}';
  v_left quotes[] := p_wanted;
  v_same quotes[];
  v_placed quotes[] := '{}';
  v_is_retry boolean;
  v record;
BEGIN
  -- The usual case, without a look at other amounts: the price itself at the first address, where all addresses offer the same amounts.
  FOR v IN
    SELECT w.ordinality, f.id, f.family, f.address, f.micro FROM unnest((SELECT p_wanted)) WITH ORDINALITY w
    CROSS JOIN LATERAL (
      SELECT r.id, r.family, r.address, first_offered(w.micro_units, r.level) AS micro
      FROM shared_address(w.merchant_id, w.network, p_now) r OFFSET 0) f
    WHERE f.micro < w.micro_units + 10000
  LOOP
    IF pg_try_advisory_xact_lock(hold_lock(v.family, v.address, v.micro)) THEN
      v_placed := v_placed || place_quote(p_wanted[v.ordinality], v.id, v.family, v.address, 'shared', v.micro, p_now);
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
