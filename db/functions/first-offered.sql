-- Returns the lowest amount from p_micro on that an address of this level offers (is_offered).
CREATE OR REPLACE FUNCTION first_offered(p_micro bigint, p_level integer) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN (p_micro + (10 ^ p_level)::bigint - p_micro % (10 ^ p_level)::bigint) % (10 ^ (p_level + 1))::bigint = 0
    THEN p_micro + 2 * (10 ^ p_level)::bigint - p_micro % (10 ^ p_level)::bigint - 1
    ELSE p_micro + (10 ^ p_level)::bigint - p_micro % (10 ^ p_level)::bigint - 1 END
$$;
