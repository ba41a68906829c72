-- Returns up to p_count free amounts for a price at the shared addresses of a merchant on a network, in the order in which orders get them:
-- the first free amount at the first of the addresses that offer it. Takes the lock of each (hold_lock), and skips an amount whose lock
-- another transaction has. The unique index still decides: an amount can have been reserved since this statement began.
CREATE OR REPLACE FUNCTION free_amounts(p_merchant_id text, p_network text, p_price bigint, p_count bigint, p_now timestamptz)
RETURNS TABLE (receiving_address_id text, micro bigint)
LANGUAGE plpgsql AS $$
DECLARE
  v_may_overlap constant boolean := may_overlap(ARRAY[p_merchant_id], p_now);
  -- Ranks of preference (offset_at_rank), both included: a few at first, then the blocks that have room.
  v_from integer := 0;
  v_to integer := 7;
  v_left bigint := p_count;
  v_count bigint;
  v_blocks integer[];
BEGIN
  LOOP
    RETURN QUERY
      WITH places AS MATERIALIZED (
        SELECT r.id, r.merchant_id, r.family, r.address, offered_level(r.guard_level, r.guarded_until, p_now) AS level,
          row_number() OVER (ORDER BY r.created_at, r.id) AS nr
        FROM receiving_addresses r
        WHERE r.merchant_id = (SELECT p_merchant_id) AND r.network = (SELECT p_network) AND r.kind = 'shared'
          AND r.paused_at IS NULL AND r.removed_at IS NULL),
      free AS (
        SELECT k.rank, p.nr FROM generate_series((SELECT v_from), (SELECT v_to)) AS k (rank) CROSS JOIN places p
        WHERE is_offered(p_price + offset_at_rank(k.rank), p.level)
        EXCEPT
        SELECT amount_rank((q.micro_units - p_price)::integer), p.nr FROM places p
        CROSS JOIN LATERAL (
          SELECT q.micro_units FROM quotes q
          WHERE q.merchant_id = p.merchant_id AND q.address = p.address AND q.family = p.family
            AND q.micro_units >= (SELECT p_price + offset_at_rank(v_from)) AND q.micro_units <= (SELECT p_price + offset_at_rank(v_to))
            AND q.released_at IS NULL AND q.kind = 'shared' AND NOT q.shares_amount OFFSET 0) q)
      SELECT f.id, f.micro FROM (
        -- OFFSET 0: locks are taken in the order of the amounts.
        SELECT p.id, p.merchant_id, p.family, p.address, p_price + offset_at_rank(f.rank) AS micro FROM free f JOIN places p USING (nr)
        ORDER BY f.rank, f.nr OFFSET 0) f
      WHERE NOT (v_may_overlap AND overlaps_hold(f.merchant_id, f.family, f.address, f.micro, p_now))
        AND pg_try_advisory_xact_lock(hold_lock(f.family, f.address, f.micro))
      LIMIT (SELECT v_left);
    GET DIAGNOSTICS v_count = ROW_COUNT;
    v_left := v_left - v_count;
    EXIT WHEN v_left = 0;
    v_blocks := CASE WHEN v_blocks IS NULL THEN blocks_with_room(p_merchant_id, p_network, p_price, p_now) ELSE v_blocks[2:] END;
    EXIT WHEN cardinality(v_blocks) = 0;
    v_from := CASE v_blocks[1] WHEN 0 THEN 8 ELSE 1 + 99 * v_blocks[1] END;
    v_to := CASE v_blocks[1] WHEN 0 THEN 99 ELSE v_from + 98 END;
  END LOOP;
END
$$;
