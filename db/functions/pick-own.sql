-- Returns and locks at most p_count idle dedicated addresses of a merchant on a network, in the order in which orders
-- get them: first those that served before (they are cheap to sweep, and of derived addresses only few stay in use),
-- then those that never served, by derivation index. The same address may be serving an order on another network of the
-- family. Never waits: addresses that another transaction has locked are skipped.
-- OFFSET 0: PostgreSQL looks up the quote of each row. A join would read every live quote of the merchant for each row
-- of a table without statistics. Subselects around values hide them from the planner, which would otherwise plan the
-- statement again for each call; planning costs more than running it.
CREATE OR REPLACE FUNCTION pick_own(p_merchant_id text, p_network text, p_passed text[], p_count bigint, p_now timestamptz)
RETURNS TABLE (id text, address text, family text, mac text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_from timestamptz := 'epoch'::timestamptz + interval '1 millisecond';
  -- A hold accepts transfers from two minutes before it begins.
  v_until timestamptz := p_now - interval '2 minutes 1 millisecond';
  v_count bigint;
  v_left bigint := p_count;
BEGIN
  LOOP
    RETURN QUERY
      SELECT r.id, r.address, r.family, r.mac FROM receiving_addresses r
      WHERE r.merchant_id = (SELECT p_merchant_id) AND r.network = (SELECT p_network) AND r.kind = 'dedicated'
        AND r.paused_at IS NULL AND r.removed_at IS NULL
        AND r.rests_until >= (SELECT v_from) AND r.rests_until <= (SELECT v_until)
        AND r.id <> ALL ((SELECT p_passed)::text[])
        AND NOT EXISTS (
          SELECT FROM quotes q
          WHERE q.merchant_id = r.merchant_id AND q.address = r.address AND q.family = r.family AND q.released_at IS NULL
            AND q.kind = 'dedicated' OFFSET 0)
      ORDER BY r.rests_until, r.source_index LIMIT (SELECT v_left)
      FOR NO KEY UPDATE SKIP LOCKED;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    v_left := v_left - v_count;
    EXIT WHEN v_left = 0 OR v_until = 'epoch';
    -- The value of addresses that never served.
    v_from := 'epoch';
    v_until := 'epoch';
  END LOOP;
END
$$;
