-- Returns the code of why nothing is free: 'noAddress' (the merchant has no active receiving address on the network) or 'allTaken'.
CREATE OR REPLACE FUNCTION nothing_free(p_merchant_id text, p_network text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN EXISTS (
    SELECT FROM receiving_addresses r
    WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.paused_at IS NULL AND r.removed_at IS NULL)
    THEN 'allTaken' ELSE 'noAddress' END
$$;
