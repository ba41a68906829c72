-- Serves web processes of the previous version; the next release drops it.
CREATE OR REPLACE FUNCTION create_orders(p_orders jsonb, p_now timestamptz)
RETURNS TABLE (place bigint, outcome text, problem text, expires_ms float8,
  receiving_address_id text, address text, kind text, mac text, base_units text)
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT i.item, CASE i.code WHEN 'created' THEN 'made' ELSE i.code END,
    coalesce(i.params ->> 'limit', i.params ->> 'problem', (i.params ->> 'code') || ' ' || (i.params ->> 'since')), i.expires_ms,
    i.receiving_address_id, i.address, i.kind, i.mac, i.base_units
  FROM insert_orders(p_orders, p_now) i;
END
$$;
