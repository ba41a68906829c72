-- Reserves idle dedicated addresses for the quotes of p_wanted, from the first on, until no address is left. See reserve_quotes.
CREATE OR REPLACE FUNCTION reserve_dedicated(p_wanted quotes[], p_now timestamptz) RETURNS quotes[] LANGUAGE plpgsql AS $$
DECLARE
  v_held quotes[] := '{}';
  v_left quotes[] := p_wanted;
  v_passed text[] := '{}';
  v_picked text[];
  v_ids text[];
  v_merchants text[];
  v_until timestamptz[];
  v_placed quotes[];
  v record;
BEGIN
  -- Sorted by an index, so that the rows of addresses in use are not read. Once for each merchant and network: the index also contains the
  -- addresses that orders of this moment got.
  IF NOT EXISTS (
    SELECT FROM (SELECT DISTINCT w.merchant_id, w.network FROM unnest((SELECT p_wanted)) w) g CROSS JOIN LATERAL (
      SELECT d.rests_until FROM receiving_addresses d
      WHERE d.merchant_id = g.merchant_id AND d.network = g.network AND d.kind = 'dedicated' AND d.paused_at IS NULL AND d.removed_at IS NULL
      ORDER BY d.rests_until LIMIT 1) d
    WHERE d.rests_until < (SELECT p_now) - interval '2 minutes') THEN
    RETURN v_held;
  END IF;
  LOOP
    SELECT array_agg(o.id), array_agg(o.id) FILTER (WHERE pg_try_advisory_xact_lock(hold_lock(o.family, o.address, -1)))
    INTO v_picked, v_ids
    FROM (SELECT w.merchant_id, w.network, count(*) AS wanted FROM unnest((SELECT v_left)) w GROUP BY 1, 2) g
    CROSS JOIN LATERAL pick_own(g.merchant_id, g.network, v_passed, g.wanted, p_now) o;
    EXIT WHEN v_picked IS NULL;
    v_passed := v_passed || v_picked;

    -- A statement of its own, so that it sees the addresses that became permanent before the lock was taken.
    v_placed := '{}';
    FOR v IN
      SELECT w.ordinality AS item, p.id, p.family, p.address
      FROM (
        SELECT w.ordinality, w.merchant_id, w.network, row_number() OVER (PARTITION BY w.merchant_id, w.network ORDER BY w.ordinality) AS turn
        FROM unnest((SELECT v_left)) WITH ORDINALITY w) w
      JOIN (
        SELECT c.*, row_number() OVER (PARTITION BY c.merchant_id, c.network ORDER BY c.place) AS turn
        FROM cooled_down(v_ids, p_now) c) p USING (merchant_id, network, turn)
    LOOP
      v_placed := v_placed || place_quote(v_left[v.item], v.id, v.family, v.address, 'dedicated', v_left[v.item].micro_units, p_now);
    END LOOP;
    v_placed := insert_quotes(v_placed);
    SELECT array_agg(h.receiving_address_id), array_agg(h.reserved_until), array_agg(DISTINCT h.merchant_id) INTO v_ids, v_until, v_merchants
    FROM unnest((SELECT v_placed)) h;
    UPDATE receiving_addresses r SET rests_until = v_until[array_position(v_ids, r.id)]
    WHERE r.id = ANY ((SELECT v_ids)::text[]) AND r.merchant_id = ANY ((SELECT v_merchants)::text[]);
    v_held := v_held || v_placed;
    v_left := without_held(v_left, v_placed);
    EXIT WHEN cardinality(v_left) = 0;
  END LOOP;
  RETURN v_held;
END
$$;
