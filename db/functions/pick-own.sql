-- Idle dedicated addresses of a merchant on a network, locked, p_count at most, in the turns in which orders get them: those that served
-- before (they are cheap to sweep, and of derived ones the few that are in use stay few), then those that never did in the order of their
-- derivation. On another network of the family the same address may be serving an order. Waits for nobody: who has one locked is passed by.
-- OFFSET 0: each row looks its own quote up. Joined, a table without statistics has every live quote of the merchant looked at for each.
-- Subselects around values keep them from the planner: it would plan the statement anew for each call, which costs more than running it.
CREATE OR REPLACE FUNCTION pick_own(p_merchant_id text, p_network text, p_passed text[], p_count bigint, p_now timestamptz)
RETURNS TABLE (id text, address text, family text, mac text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_from timestamptz := 'epoch'::timestamptz + interval '1 millisecond';
  -- A hold takes transfers from two minutes before it begins.
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
    -- Those that never served rest until then.
    v_from := 'epoch';
    v_until := 'epoch';
  END LOOP;
END
$$;
