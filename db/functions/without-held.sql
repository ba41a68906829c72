-- Returns the quotes of p_wanted that are not among p_held, in their order.
CREATE OR REPLACE FUNCTION without_held(p_wanted quotes[], p_held quotes[]) RETURNS quotes[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  v_left quotes[] := '{}';
  v_ids text[] := '{}';
  v_quote quotes;
BEGIN
  IF cardinality(p_held) = 0 THEN
    RETURN p_wanted;
  ELSIF cardinality(p_held) = cardinality(p_wanted) THEN
    RETURN '{}';
  END IF;
  FOREACH v_quote IN ARRAY p_held LOOP
    v_ids := v_ids || v_quote.id;
  END LOOP;
  FOREACH v_quote IN ARRAY p_wanted LOOP
    IF v_quote.id <> ALL (v_ids) THEN
      v_left := v_left || v_quote;
    END IF;
  END LOOP;
  RETURN v_left;
END
$$;
