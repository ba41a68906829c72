-- Serves web processes of the previous version; the next release drops it. Others call network_refusal_code.
CREATE OR REPLACE FUNCTION network_refusal(p_closed_at timestamptz, p_problem text, p_heard_at timestamptz, p_now timestamptz)
RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce('an operator closed it on ' || to_char(p_closed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC',
    network_problem(p_problem, p_heard_at, p_now))
$$;
