-- Reserves for each quote of p_wanted an idle dedicated address, otherwise the first free amount at a shared address. Returns the quotes that
-- hold something now; for the others nothing is free. See insert_quotes for p_wanted.
-- Never waits, however often it is called in a transaction: what another transaction is reserving is skipped.
CREATE OR REPLACE FUNCTION reserve_quotes(p_wanted quotes[], p_now timestamptz) RETURNS quotes[] LANGUAGE plpgsql AS $$
DECLARE
  v_held constant quotes[] := reserve_dedicated(p_wanted, p_now);
  v_left constant quotes[] := without_held(p_wanted, v_held);
BEGIN
  RETURN CASE WHEN cardinality(v_left) = 0 THEN v_held ELSE v_held || reserve_shared(v_left, p_now) END;
END
$$;
