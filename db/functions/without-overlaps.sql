-- Deletes those of p_held, quotes of this transaction at shared addresses, whose holds overlap another one (overlaps_hold), and returns the
-- others.
CREATE OR REPLACE FUNCTION without_overlaps(p_held quotes[], p_now timestamptz) RETURNS quotes[] LANGUAGE plpgsql AS $$
DECLARE
  v_held quotes[] := '{}';
  v_quote quotes;
BEGIN
  FOREACH v_quote IN ARRAY p_held LOOP
    IF overlaps_hold(v_quote.merchant_id, v_quote.family, v_quote.address, v_quote.micro_units, p_now) THEN
      DELETE FROM quotes q WHERE q.order_id = v_quote.order_id AND q.merchant_id = v_quote.merchant_id AND q.id = v_quote.id;
    ELSE
      v_held := v_held || v_quote;
    END IF;
  END LOOP;
  RETURN v_held;
END
$$;
