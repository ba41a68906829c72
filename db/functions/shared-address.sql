-- Returns the first shared address of a merchant on a network and the level of the amounts that it offers (is_offered);
-- no row if there is none, or if the addresses offer amounts of different levels.
CREATE OR REPLACE FUNCTION shared_address(p_merchant_id text, p_network text, p_now timestamptz)
RETURNS TABLE (id text, family text, address text, level integer) LANGUAGE sql STABLE AS $$
  SELECT f.id, f.family, f.address, f.level FROM (
    SELECT r.id, r.family, r.address, offered_level(r.guard_level, r.guarded_until, p_now) AS level FROM receiving_addresses r
    WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.kind = 'shared' AND r.paused_at IS NULL AND r.removed_at IS NULL
    ORDER BY r.created_at, r.id LIMIT 1) f
  WHERE NOT EXISTS (
    SELECT FROM receiving_addresses s
    WHERE s.merchant_id = p_merchant_id AND s.network = p_network AND s.kind = 'shared' AND s.paused_at IS NULL AND s.removed_at IS NULL
      AND offered_level(s.guard_level, s.guarded_until, p_now) <> f.level OFFSET 0)
$$;
