-- Reserves for each quote of p_wanted an idle dedicated address, otherwise the first free amount at a shared address.
-- Returns the quotes that were reserved; for the others nothing is free.
-- p_wanted: quotes without an address. micro_units and base_units are the price, reserved_until is the end of the late
-- window.
-- p_expires_at: the expiry of the order of each of them.
-- Never waits, however often it is called in a transaction: amounts and addresses that another transaction is reserving
-- are skipped.
CREATE OR REPLACE FUNCTION reserve_quotes(p_wanted quotes[], p_expires_at timestamptz[], p_now timestamptz)
RETURNS quotes[] LANGUAGE plpgsql AS $$
DECLARE
  v_held constant quotes[] := reserve_dedicated(p_wanted, p_now);
BEGIN
  IF cardinality(v_held) = cardinality(p_wanted) THEN
    RETURN v_held;
  END IF;
  -- The late window of a shared amount is at least an hour.
  FOR i IN 1 .. cardinality(p_wanted) LOOP
    IF p_wanted[i].reserved_until < p_expires_at[i] + interval '1 hour' THEN
      p_wanted[i].reserved_until := p_expires_at[i] + interval '1 hour';
    END IF;
  END LOOP;
  RETURN v_held || reserve_shared(without_held(p_wanted, v_held), p_now);
END
$$;
