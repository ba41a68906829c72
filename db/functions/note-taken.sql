-- Writes amounts that were found taken into their window. Never waits: another process that is at it does the same work.
CREATE OR REPLACE FUNCTION note_taken(p_family text, p_currency text, p_address text, p_window bigint, p_taken bigint[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM amount_windows w
  WHERE w.address = p_address AND w.currency = p_currency AND w.family = p_family AND w.window_number = p_window
  FOR UPDATE SKIP LOCKED;
  IF FOUND THEN
    UPDATE amount_windows w
    SET taken = w.taken | live_amounts(p_family, p_currency, p_address, p_window * 10000, p_taken)
    WHERE w.address = p_address AND w.currency = p_currency AND w.family = p_family AND w.window_number = p_window;
  ELSIF pg_try_advisory_xact_lock(amount_lock(p_address, p_currency, -1 - p_window)) THEN
    INSERT INTO amount_windows (address, currency, family, window_number, taken)
    SELECT p_address, p_currency, p_family, p_window, live_amounts(p_family, p_currency, p_address, p_window * 10000)
    WHERE NOT EXISTS (
      SELECT FROM amount_windows w
      WHERE w.address = p_address AND w.currency = p_currency AND w.family = p_family AND w.window_number = p_window)
    ON CONFLICT DO NOTHING;
  END IF;
END
$$;
