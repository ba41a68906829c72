-- Returns the rank of preference of an offset from the price: 0, 100, 200 … 9900 come first, then the others in rising order. The same rule
-- as rankOfSteps in lib/domain/orders/quote.ts.
CREATE OR REPLACE FUNCTION amount_rank(p_offset integer) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_offset % 100 = 0 THEN p_offset / 100 ELSE 99 + p_offset - p_offset / 100 END
$$;
