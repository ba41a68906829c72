-- Returns how many of the amounts above p_after, up to p_last, an address of this level offers (is_offered).
CREATE OR REPLACE FUNCTION offered_count(p_after bigint, p_last bigint, p_level integer)
RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (p_last + 1) / (10 ^ p_level)::bigint - (p_last + 1) / (10 ^ (p_level + 1))::bigint
    - (p_after + 1) / (10 ^ p_level)::bigint + (p_after + 1) / (10 ^ (p_level + 1))::bigint
$$;
