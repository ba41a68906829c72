-- Takes up to p_wanted tokens of a bucket, as many as there are. A bucket is stored as the time at which it will be full (GCRA).
CREATE OR REPLACE FUNCTION take_tokens(p_key text, p_burst integer, p_interval_ms float8, p_wanted integer, p_now timestamptz,
  OUT granted integer, OUT full_ms float8)
LANGUAGE plpgsql AS $$
DECLARE
  v_now_ms constant float8 := extract(epoch FROM p_now) * 1000;
BEGIN
  INSERT INTO rate_limits (key, full_at) VALUES (p_key, p_now) ON CONFLICT (key) DO NOTHING;
  SELECT greatest(extract(epoch FROM l.full_at) * 1000, v_now_ms) INTO full_ms FROM rate_limits l WHERE l.key = p_key FOR UPDATE;
  full_ms := coalesce(full_ms, v_now_ms);
  granted := greatest(0, least(p_wanted, floor((v_now_ms + p_burst * p_interval_ms - full_ms) / p_interval_ms + 0.000001)));
  IF granted > 0 THEN
    full_ms := full_ms + granted * p_interval_ms;
    INSERT INTO rate_limits (key, full_at) VALUES (p_key, to_timestamp(full_ms / 1000))
    ON CONFLICT (key) DO UPDATE SET full_at = excluded.full_at;
  END IF;
END
$$;
