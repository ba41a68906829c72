-- Returns quotes of p_wanted, which have one merchant, network and price, placed at free amounts of the shared
-- addresses: the first of them at the first free amount, at the first of the addresses where it is free, and so on.
-- Takes the lock of each amount (hold_lock), and skips an amount whose lock another transaction has. The unique index
-- still decides: another transaction may have reserved an amount since this statement began.
-- p_is_retry: also skips amounts where a hold that begins now overlaps another one (overlaps_hold).
CREATE OR REPLACE FUNCTION free_amounts(p_wanted quotes[], p_is_retry boolean, p_now timestamptz) RETURNS quotes[] LANGUAGE plpgsql AS $$
DECLARE
  v_wanted constant quotes := p_wanted[1];
  v_placed quotes[];
  -- A few more than wanted, to replace those that are skipped.
  v_count bigint := cardinality(p_wanted) + 8;
  v_found bigint;
  v record;
BEGIN
  LOOP
    v_placed := '{}';
    v_found := 0;
    FOR v IN
      SELECT f.id, f.family, f.address, f.micro,
        NOT (p_is_retry AND overlaps_hold(v_wanted.merchant_id, f.family, f.address, f.micro, p_now)) AS is_apart
      FROM (
        SELECT r.id, r.family, r.address, m.micro FROM receiving_addresses r
        CROSS JOIN LATERAL unnest(free_at_address(r.merchant_id, r.family, r.address,
          offered_level(r.guard_level, r.guarded_until, p_now), v_wanted.micro_units, v_count)) AS m (micro)
        WHERE r.merchant_id = (SELECT v_wanted.merchant_id) AND r.network = (SELECT v_wanted.network) AND r.kind = 'shared'
          AND r.paused_at IS NULL AND r.removed_at IS NULL
        ORDER BY amount_rank((m.micro - v_wanted.micro_units)::integer), r.created_at, r.id OFFSET 0) f
    LOOP
      v_found := v_found + 1;
      IF v.is_apart AND pg_try_advisory_xact_lock(hold_lock(v.family, v.address, v.micro)) THEN
        v_placed := v_placed || place_quote(p_wanted[cardinality(v_placed) + 1], v.id, v.family, v.address, 'shared', v.micro, p_now);
        EXIT WHEN cardinality(v_placed) = cardinality(p_wanted);
      END IF;
    END LOOP;
    EXIT WHEN cardinality(v_placed) = cardinality(p_wanted) OR v_found < v_count;
    v_count := v_count * 10;
  END LOOP;
  RETURN v_placed;
END
$$;
