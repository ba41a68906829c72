-- Reserves a quote of an order that exists (reserve_quotes). p_wanted: its columns, without those of an address. If
-- nothing is free, `code` is the reason (nothing_free).
CREATE OR REPLACE FUNCTION reserve_one(p_wanted jsonb, p_now timestamptz,
  OUT code text, OUT receiving_address_id text, OUT address text, OUT kind text, OUT mac text, OUT base_units numeric)
LANGUAGE plpgsql AS $$
DECLARE
  v_wanted constant quotes := jsonb_populate_record(NULL::quotes, p_wanted);
  v_expires_at timestamptz;
  v_held quotes[];
BEGIN
  SELECT o.expires_at INTO v_expires_at FROM orders o WHERE o.id = v_wanted.order_id AND o.merchant_id = v_wanted.merchant_id;
  v_held := reserve_quotes(ARRAY[v_wanted], ARRAY[v_expires_at], p_now);
  IF cardinality(v_held) = 0 THEN
    code := nothing_free(v_wanted.merchant_id, v_wanted.network);
    RETURN;
  END IF;
  SELECT h.receiving_address_id, h.address, h.kind, r.mac, h.base_units INTO receiving_address_id, address, kind, mac, base_units
  FROM unnest(v_held) h JOIN receiving_addresses r ON r.id = h.receiving_address_id AND r.merchant_id = h.merchant_id;
END
$$;
