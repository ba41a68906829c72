-- Reserves a quote of an order that exists (reserve_quotes). p_wanted: its columns, without those of an address; see insert_quotes. If
-- nothing is free, `code` says why (nothing_free).
CREATE OR REPLACE FUNCTION reserve_one(p_wanted jsonb, p_now timestamptz,
  OUT code text, OUT receiving_address_id text, OUT address text, OUT kind text, OUT mac text, OUT base_units numeric)
LANGUAGE plpgsql AS $$
DECLARE
  v_wanted constant quotes := jsonb_populate_record(NULL::quotes, p_wanted);
  v_held constant quotes[] := reserve_quotes(ARRAY[v_wanted], p_now);
BEGIN
  IF cardinality(v_held) = 0 THEN
    code := nothing_free(v_wanted.merchant_id, v_wanted.network);
    RETURN;
  END IF;
  SELECT h.receiving_address_id, h.address, h.kind, r.mac, h.base_units INTO receiving_address_id, address, kind, mac, base_units
  FROM unnest(v_held) h JOIN receiving_addresses r ON r.id = h.receiving_address_id AND r.merchant_id = h.merchant_id;
END
$$;
