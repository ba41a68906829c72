-- Inserts quotes that hold amounts and addresses: the only statement that does. The unique indexes decide, whatever was read before.
-- p_wanted: the quotes, without an address. micro_units and base_units are the price, reserved_until is the end of the late window.
-- p_address_ids, p_micro: the receiving address and the amount of each, in the same order; null: none. The transaction has locked each
-- (hold_lock), so that no insert waits for another transaction.
-- Returns the quotes that were inserted. The others conflict with a hold: nothing of them is written.
-- In this and the other functions that reserve, OFFSET 0 has each row looked up by its key: as a join, whole tables would be read while they
-- have no statistics. Subselects around values hide them from the planner, which would otherwise plan the statement again for each call;
-- that costs more than running it.
CREATE OR REPLACE FUNCTION insert_quotes(p_wanted quotes[], p_address_ids text[], p_micro bigint[], p_now timestamptz)
RETURNS quotes[] LANGUAGE plpgsql AS $$
DECLARE
  v_held quotes[];
  v_ids text[];
  v_until timestamptz[];
  v_merchants text[];
BEGIN
  WITH held AS (
    INSERT INTO quotes AS q (id, merchant_id, order_id, receiving_address_id, network, family, currency, token, address, kind, base_units,
      micro_units, created_at, reserved_until)
    SELECT w.id, w.merchant_id, w.order_id, r.id, w.network, r.family, w.currency, w.token, r.address, r.kind,
      p_micro[w.ordinality] * div(w.base_units, w.micro_units), p_micro[w.ordinality], p_now,
      -- The late window of a shared amount is at least an hour.
      CASE r.kind WHEN 'shared' THEN greatest(w.reserved_until, (
        SELECT o.expires_at FROM orders o WHERE o.id = w.order_id AND o.merchant_id = w.merchant_id) + interval '1 hour')
        ELSE w.reserved_until END
    FROM unnest((SELECT p_wanted)) WITH ORDINALITY w
    CROSS JOIN LATERAL (
      SELECT r.id, r.family, r.address, r.kind FROM receiving_addresses r
      WHERE r.id = (SELECT p_address_ids)[w.ordinality] AND r.merchant_id = w.merchant_id OFFSET 0) r
    ON CONFLICT DO NOTHING
    RETURNING q AS quote)
  SELECT array_agg(h.quote), array_agg(DISTINCT (h.quote).merchant_id),
    array_agg((h.quote).receiving_address_id) FILTER (WHERE (h.quote).kind = 'dedicated'),
    array_agg((h.quote).reserved_until) FILTER (WHERE (h.quote).kind = 'dedicated')
  INTO v_held, v_merchants, v_ids, v_until FROM held h;

  -- Statements of their own, after the insert: no other transaction can get these amounts any more.
  IF v_ids IS NOT NULL THEN
    UPDATE receiving_addresses r SET rests_until = v_until[array_position(v_ids, r.id)]
    WHERE r.id = ANY ((SELECT v_ids)::text[]) AND r.merchant_id = ANY ((SELECT v_merchants)::text[]);
  ELSIF v_held IS NOT NULL AND may_overlap(v_merchants, p_now) THEN
    v_held := without_overlaps(v_held, p_now);
  END IF;
  RETURN coalesce(v_held, '{}');
END
$$;
