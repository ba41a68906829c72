-- Reserves the quotes of p_wanted that belong to orders of this transaction (p_order_ids), and deletes those of these
-- orders for which nothing is free. Returns the quotes that were reserved. See reserve_quotes.
CREATE OR REPLACE FUNCTION reserve_for_orders(p_order_ids text[], p_wanted quotes[], p_expires_at timestamptz[], p_now timestamptz)
RETURNS quotes[] LANGUAGE plpgsql AS $$
DECLARE
  v_wanted quotes[] := '{}';
  v_expires_at timestamptz[] := '{}';
  v_held quotes[];
BEGIN
  IF cardinality(p_order_ids) = cardinality(p_wanted) THEN
    v_wanted := p_wanted;
    v_expires_at := p_expires_at;
  ELSE
    FOR i IN 1 .. cardinality(p_wanted) LOOP
      IF p_wanted[i].order_id = ANY (p_order_ids) THEN
        v_wanted := v_wanted || p_wanted[i];
        v_expires_at := v_expires_at || p_expires_at[i];
      END IF;
    END LOOP;
  END IF;
  v_held := reserve_quotes(v_wanted, v_expires_at, p_now);
  IF cardinality(v_held) < cardinality(v_wanted) THEN
    DELETE FROM orders o USING unnest(without_held(v_wanted, v_held)) w WHERE o.id = w.order_id AND o.merchant_id = w.merchant_id;
  END IF;
  RETURN v_held;
END
$$;
