-- Returns the first p_count free amounts for a price at a shared address of this level (is_offered), in the order in
-- which orders get them. Reads the held amounts once, from the unique index. They are in ascending order, so that a
-- binary search finds the next gap: the number of free amounts below a held one is the number of offered amounts below
-- it minus the number of held ones.
CREATE OR REPLACE FUNCTION free_at_address(p_merchant_id text, p_family text, p_address text, p_level integer, p_price bigint, p_count bigint)
RETURNS bigint[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_unit constant bigint := 10 ^ p_level;
  v_held bigint[];
  -- The held amounts that are a multiple of 100 above the price.
  v_held_first bigint[];
  v_free bigint[] := '{}';
  v_micro bigint := p_price;
  v_passed bigint := 0;
  v_from integer := 1;
  v_to integer;
  v_middle integer;
BEGIN
  SELECT array_agg(h.micro), array_agg(h.micro) FILTER (WHERE (h.micro - p_price) % 100 = 0) INTO v_held, v_held_first
  FROM (
    SELECT q.micro_units AS micro FROM quotes q
    WHERE q.merchant_id = (SELECT p_merchant_id) AND q.address = (SELECT p_address) AND q.family = (SELECT p_family)
      AND q.micro_units >= (SELECT p_price) AND q.micro_units < (SELECT p_price) + 10000
      AND q.released_at IS NULL AND q.kind = 'shared' AND NOT q.shares_amount
      AND (q.micro_units + 1) % v_unit = 0 AND (q.micro_units + 1) % (10 * v_unit) <> 0
    ORDER BY q.micro_units) h;

  -- The price and the 99 amounts in steps of 100 after it.
  WHILE coalesce(cardinality(v_held_first), 0) < 100 AND v_micro < p_price + 10000 AND cardinality(v_free) < p_count LOOP
    IF v_held_first[v_from] = v_micro THEN
      v_from := v_from + 1;
    ELSIF is_offered(v_micro, p_level) THEN
      v_free := v_free || v_micro;
    END IF;
    v_micro := v_micro + 100;
  END LOOP;

  -- The others, in rising order.
  v_from := 1;
  WHILE v_from <= coalesce(cardinality(v_held), 0) + 1 AND cardinality(v_free) < p_count LOOP
    v_to := coalesce(cardinality(v_held), 0) + 1;
    WHILE v_from < v_to LOOP
      v_middle := (v_from + v_to) / 2;
      IF offered_count(p_price - 1, v_held[v_middle] - 1, p_level) - v_middle + 1 > v_passed THEN
        v_to := v_middle;
      ELSE
        v_from := v_middle + 1;
      END IF;
    END LOOP;
    v_micro := first_offered(coalesce(v_held[v_from - 1] + 1, p_price), p_level);
    WHILE v_micro < coalesce(v_held[v_from], p_price + 10000) AND cardinality(v_free) < p_count LOOP
      v_passed := v_passed + 1;
      IF (v_micro - p_price) % 100 <> 0 THEN
        v_free := v_free || v_micro;
      END IF;
      v_micro := first_offered(v_micro + 1, p_level);
    END LOOP;
    v_from := v_from + 1;
  END LOOP;
  RETURN v_free;
END
$$;
