-- Returns why a network takes no new orders, as a code with its parameters; null: it takes them.
-- lib/domain/networks/refusal.ts maps the code to a problem.
--   closedByOperator: since (ISO 8601)
--   reported: problem (the sentence that the network's worker stored)
--   unwatched: since (ISO 8601). No worker has read the network for five minutes.
CREATE OR REPLACE FUNCTION network_refusal_code(p_closed_at timestamptz, p_problem text, p_heard_at timestamptz, p_now timestamptz)
RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN p_closed_at IS NOT NULL THEN jsonb_build_object('code', 'closedByOperator', 'since', p_closed_at)
    WHEN p_problem IS NOT NULL THEN jsonb_build_object('code', 'reported', 'problem', p_problem)
    WHEN p_heard_at < p_now - interval '5 minutes' THEN jsonb_build_object('code', 'unwatched', 'since', p_heard_at) END
$$;
