-- Returns the terms that orders of one API key on one network have in common. All are null if the key is not live.
-- network_refusal: see network_refusal_code.
CREATE OR REPLACE FUNCTION order_terms(p_key_id text, p_merchant_id text, p_network text, p_now timestamptz,
  OUT expires_in integer, OUT late_window integer, OUT off_methods text, OUT min_micro bigint, OUT max_micro bigint, OUT network_refusal jsonb)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT m.expires_in_seconds, m.late_window_seconds, ',' || array_to_string(m.off_methods, ',') || ',', m.least_micro, m.most_micro,
    network_refusal_code(c.closed_at, c.problem, c.heard_at, p_now)
  INTO expires_in, late_window, off_methods, min_micro, max_micro, network_refusal
  FROM api_keys k JOIN merchants m ON m.id = k.merchant_id LEFT JOIN cursors c ON c.network = (SELECT p_network)
  WHERE k.id = p_key_id AND k.merchant_id = p_merchant_id AND is_live(k.ends_at, p_now);
END
$$;
