-- How short the amount at an offset (of 0.000001 from the price) is: 0, 100, 200 … 9900 come first, then the rest in order.
CREATE OR REPLACE FUNCTION amount_rank(p_offset integer) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_offset % 100 = 0 THEN p_offset / 100 ELSE 99 + p_offset - p_offset / 100 END
$$;
