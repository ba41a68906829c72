-- Returns the offset from the price (in millionths) at a rank of preference: ranks 0 to 99 are 0, 100, 200 … 9900, the others follow in
-- rising order. The same rule as stepsAtRank in lib/domain/orders/quote.ts.
CREATE OR REPLACE FUNCTION offset_at_rank(p_rank integer) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_rank < 100 THEN p_rank * 100 ELSE p_rank - 99 + (p_rank - 100) / 99 END
$$;
