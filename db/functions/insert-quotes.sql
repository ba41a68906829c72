-- Inserts quotes that hold amounts and addresses. This is the only statement that does. The unique indexes decide, not rows that were read
-- before. The transaction has locked each amount and address (hold_lock), so that no insert waits for another transaction.
-- Returns the quotes that were inserted. The others conflict with a hold and are not inserted.
-- In this and the other reserving functions, OFFSET 0 makes PostgreSQL look up each row by its key: a join would scan whole tables while
-- they have no statistics. Subselects around values hide them from the planner, which would otherwise plan the statement again for each
-- call; planning costs more than running it.
CREATE OR REPLACE FUNCTION insert_quotes(p_quotes quotes[]) RETURNS quotes[] LANGUAGE plpgsql AS $$
DECLARE
  v_held quotes[];
BEGIN
  WITH held AS (
    INSERT INTO quotes AS q (id, merchant_id, order_id, receiving_address_id, network, family, currency, token, address, kind, base_units,
      micro_units, created_at, reserved_until)
    SELECT w.id, w.merchant_id, w.order_id, w.receiving_address_id, w.network, w.family, w.currency, w.token, w.address, w.kind, w.base_units,
      w.micro_units, w.created_at, w.reserved_until
    FROM unnest((SELECT p_quotes)) w
    ON CONFLICT DO NOTHING
    RETURNING q AS quote)
  SELECT array_agg(h.quote) INTO v_held FROM held h;
  RETURN coalesce(v_held, '{}');
END
$$;
