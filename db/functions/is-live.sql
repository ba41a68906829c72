-- Returns whether an API key is live: it is neither revoked nor replaced for longer than the overlap.
CREATE OR REPLACE FUNCTION is_live(p_ends_at timestamptz, p_at timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT p_ends_at IS NULL OR p_ends_at > p_at
$$;
