-- Returns, in rising order, the blocks of amounts for a price in which a shared address of a merchant on a network offers more than it
-- holds: block 0 are the offsets 0, 100 … 9900, block 1 the offsets 1 to 99, block 2 the offsets 101 to 199, and so on. Reads each held amount
-- once, in the unique index.
CREATE OR REPLACE FUNCTION blocks_with_room(p_merchant_id text, p_network text, p_price bigint, p_now timestamptz)
RETURNS integer[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((
    SELECT array_agg(DISTINCT b.block ORDER BY b.block)
    FROM (
      SELECT r.merchant_id, r.family, r.address, offered_level(r.guard_level, r.guarded_until, p_now) AS level FROM receiving_addresses r
      WHERE r.merchant_id = (SELECT p_merchant_id) AND r.network = (SELECT p_network) AND r.kind = 'shared'
        AND r.paused_at IS NULL AND r.removed_at IS NULL) r
    CROSS JOIN LATERAL (
      SELECT b.block FROM generate_series(0, 100) AS b (block)
      LEFT JOIN (
        SELECT CASE WHEN (q.micro_units - p_price) % 100 = 0 THEN 0 ELSE ((q.micro_units - p_price) / 100)::integer + 1 END AS block,
          count(*) AS held
        FROM quotes q
        WHERE q.merchant_id = r.merchant_id AND q.address = r.address AND q.family = r.family
          AND q.micro_units >= (SELECT p_price) AND q.micro_units < (SELECT p_price) + 10000
          AND q.released_at IS NULL AND q.kind = 'shared' AND NOT q.shares_amount AND is_offered(q.micro_units, r.level)
        GROUP BY 1 OFFSET 0) h USING (block)
      WHERE coalesce(h.held, 0) < CASE b.block
        WHEN 0 THEN (SELECT count(*) FROM generate_series(p_price, p_price + 9900, 100) s WHERE is_offered(s, r.level))
        ELSE offered_count(p_price + 100 * (b.block - 1), p_price + 100 * (b.block - 1) + 99, r.level) END) b), '{}');
END
$$;
