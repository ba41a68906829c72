-- Why a network takes no orders, in words: what its worker wrote down, or that nobody has watched it for five minutes. Null: it takes them.
CREATE OR REPLACE FUNCTION network_problem(p_problem text, p_heard_at timestamptz, p_now timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(p_problem, CASE WHEN p_heard_at < p_now - interval '5 minutes'
    THEN 'Nobody has watched this network since ' || to_char(p_heard_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC' END)
$$;
