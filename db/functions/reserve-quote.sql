-- Serves web processes of the previous version; the next release drops it. They pass `notes` to note_taken or note_held if there are any.
CREATE OR REPLACE FUNCTION reserve_quote(
  p_quote_id text, p_order_id text, p_merchant_id text, p_network text, p_currency text, p_token text,
  p_price bigint, p_step numeric, p_now timestamptz, p_reserved_until timestamptz,
  OUT receiving_address_id text, OUT address text, OUT kind text, OUT mac text, OUT base_units numeric, OUT refused text, OUT notes jsonb)
LANGUAGE plpgsql AS $$
BEGIN
  SELECT r.receiving_address_id, r.address, r.kind, r.mac, r.base_units, r.code
  INTO receiving_address_id, address, kind, mac, base_units, refused
  FROM reserve_one(jsonb_build_object('id', p_quote_id, 'order_id', p_order_id, 'merchant_id', p_merchant_id, 'network', p_network,
    'currency', p_currency, 'token', p_token, 'micro_units', p_price, 'base_units', p_price * p_step, 'reserved_until', p_reserved_until), p_now) r;
END
$$;
