-- Writes amounts that were found taken into their window; p_taken null: reads the whole window afresh. Never waits: another
-- process that is at it does the same work.
CREATE OR REPLACE FUNCTION note_taken(p_merchant_id text, p_family text, p_currency text, p_address text, p_window bigint, p_taken bigint[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_bits bit varying;
BEGIN
  PERFORM 1 FROM amount_windows w
  WHERE w.merchant_id = p_merchant_id AND w.address = p_address AND w.currency = p_currency AND w.family = p_family AND w.window_number = p_window
  FOR UPDATE SKIP LOCKED;
  IF FOUND THEN
    v_bits := live_amounts(p_merchant_id, p_family, p_currency, p_address, p_window * 10000, p_taken);
    UPDATE amount_windows w
    SET taken = CASE WHEN p_taken IS NULL THEN v_bits ELSE w.taken | v_bits END
    WHERE w.merchant_id = p_merchant_id AND w.address = p_address AND w.currency = p_currency AND w.family = p_family AND w.window_number = p_window;
  -- A window that stands is another's at this moment. Inserting it once more would wait for its update, and two that note the
  -- same windows could so wait for each other.
  ELSIF NOT EXISTS (
    SELECT FROM amount_windows w
    WHERE w.merchant_id = p_merchant_id AND w.address = p_address AND w.currency = p_currency AND w.family = p_family AND w.window_number = p_window)
    AND pg_try_advisory_xact_lock(amount_lock(p_address, p_currency, -1 - p_window)) THEN
    v_bits := live_amounts(p_merchant_id, p_family, p_currency, p_address, p_window * 10000, NULL);
    INSERT INTO amount_windows (merchant_id, address, currency, family, window_number, taken)
    VALUES (p_merchant_id, p_address, p_currency, p_family, p_window, v_bits)
    ON CONFLICT DO NOTHING;
  END IF;
END
$$;
