-- Returns the level of a shared address at a time: the number of nines in which its offered amounts end.
CREATE OR REPLACE FUNCTION offered_level(p_guard_level integer, p_guarded_until timestamptz, p_now timestamptz)
RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_guarded_until > p_now THEN p_guard_level ELSE 0 END
$$;
