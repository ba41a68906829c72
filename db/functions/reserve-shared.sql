-- Reserves the first free amount at a shared address for each quote of p_wanted. See reserve_quotes.
CREATE OR REPLACE FUNCTION reserve_shared(p_wanted quotes[], p_now timestamptz) RETURNS quotes[] LANGUAGE plpgsql AS $$
DECLARE
  v_held quotes[];
  v_left quotes[];
  v_ids text[];
  v_micro bigint[];
BEGIN
  -- The usual case, without a look at what is held: the price itself at the first address, where all addresses offer the same amounts.
  SELECT array_agg(CASE WHEN f.micro < w.micro_units + 10000 AND pg_try_advisory_xact_lock(hold_lock(f.family, f.address, f.micro)) THEN f.id END
    ORDER BY w.ordinality), array_agg(f.micro ORDER BY w.ordinality)
  INTO v_ids, v_micro
  FROM unnest((SELECT p_wanted)) WITH ORDINALITY w
  LEFT JOIN LATERAL (
    SELECT r.id, r.family, r.address, first_offered(w.micro_units, r.level) AS micro
    FROM shared_address(w.merchant_id, w.network, p_now) r) f ON true;
  v_held := insert_quotes(p_wanted, v_ids, v_micro, p_now);

  FOR v_left IN
    SELECT array_agg(l.quotes[i] ORDER BY i)
    FROM (SELECT without_held(p_wanted, v_held) AS quotes OFFSET 0) l CROSS JOIN LATERAL generate_subscripts(l.quotes, 1) i
    GROUP BY (l.quotes[i]).merchant_id, (l.quotes[i]).network, (l.quotes[i]).micro_units
  LOOP
    LOOP
      SELECT array_agg(f.receiving_address_id), array_agg(f.micro) INTO v_ids, v_micro
      FROM free_amounts((v_left[1]).merchant_id, (v_left[1]).network, (v_left[1]).micro_units, cardinality(v_left), p_now) f;
      EXIT WHEN v_ids IS NULL;
      v_held := v_held || insert_quotes(v_left, v_ids, v_micro, p_now);
      v_left := without_held(v_left, v_held);
      EXIT WHEN cardinality(v_left) = 0;
    END LOOP;
  END LOOP;
  RETURN v_held;
END
$$;
