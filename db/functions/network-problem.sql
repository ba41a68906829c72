-- Serves web processes of the previous version; the next release drops it. Others call network_refusal_code.
CREATE OR REPLACE FUNCTION network_problem(p_problem text, p_heard_at timestamptz, p_now timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(p_problem, CASE WHEN p_heard_at < p_now - interval '5 minutes'
    THEN 'Nobody has watched this network since ' || to_char(p_heard_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC' END)
$$;
