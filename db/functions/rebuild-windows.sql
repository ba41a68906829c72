-- Reads the windows of a price afresh from the quotes, for every address: done once before a price is called full.
CREATE OR REPLACE FUNCTION rebuild_windows(p_merchant_id text, p_network text, p_currency text, p_price bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_window constant bigint := p_price / 10000;
BEGIN
  INSERT INTO amount_windows (address, currency, family, window_number, taken)
  SELECT r.address, p_currency, r.family, n, repeat('0', 10000)::bit(10000)
  FROM receiving_addresses r, generate_series(v_window, v_window + 1) n
  WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.kind = 'shared'
    AND r.paused_at IS NULL AND r.removed_at IS NULL
  ORDER BY r.address, n
  ON CONFLICT DO NOTHING;
  PERFORM 1 FROM amount_windows w JOIN receiving_addresses r ON r.address = w.address AND r.family = w.family
  WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND w.currency = p_currency
    AND w.window_number BETWEEN v_window AND v_window + 1
  ORDER BY w.address, w.window_number
  FOR UPDATE OF w;
  UPDATE amount_windows w
  SET taken = live_amounts(w.family, p_currency, w.address, w.window_number * 10000)
  FROM receiving_addresses r
  WHERE r.address = w.address AND r.family = w.family AND r.merchant_id = p_merchant_id AND r.network = p_network
    AND w.currency = p_currency AND w.window_number BETWEEN v_window AND v_window + 1;
END
$$;
