-- Inserts quotes at shared addresses (insert_quotes) and returns those whose holds overlap no other one.
CREATE OR REPLACE FUNCTION insert_shared(p_quotes quotes[], p_now timestamptz) RETURNS quotes[] LANGUAGE plpgsql AS $$
DECLARE
  v_held constant quotes[] := insert_quotes(p_quotes);
BEGIN
  -- The check is a statement of its own, after the insert: no other transaction can get these amounts any more.
  RETURN CASE WHEN cardinality(v_held) > 0 AND may_overlap(v_held, p_now) THEN without_overlaps(v_held, p_now) ELSE v_held END;
END
$$;
