-- Records in a bitmap that amounts were found held; p_held null: reads the whole range again. Never waits: if another transaction works on
-- the same range, it does the same work.
CREATE OR REPLACE FUNCTION note_held(p_merchant_id text, p_family text, p_address text, p_window bigint, p_held bigint[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_bits bit varying;
BEGIN
  PERFORM 1 FROM amount_bitmaps b
  WHERE b.merchant_id = p_merchant_id AND b.family = p_family AND b.address = p_address AND b.window_number = p_window
  FOR UPDATE SKIP LOCKED;
  IF FOUND THEN
    v_bits := held_amounts(p_merchant_id, p_family, p_address, p_window * 10000, p_held);
    UPDATE amount_bitmaps b
    SET held = CASE WHEN p_held IS NULL THEN v_bits ELSE b.held | v_bits END
    WHERE b.merchant_id = p_merchant_id AND b.family = p_family AND b.address = p_address AND b.window_number = p_window;
  -- Inserting a row that another transaction has locked would wait for that transaction, and two that record the same ranges could
  -- deadlock.
  ELSIF NOT EXISTS (
    SELECT FROM amount_bitmaps b
    WHERE b.merchant_id = p_merchant_id AND b.family = p_family AND b.address = p_address AND b.window_number = p_window)
    AND pg_try_advisory_xact_lock(hold_lock(p_family, p_address, -1 - p_window)) THEN
    v_bits := held_amounts(p_merchant_id, p_family, p_address, p_window * 10000, NULL);
    INSERT INTO amount_bitmaps (merchant_id, family, address, window_number, held)
    VALUES (p_merchant_id, p_family, p_address, p_window, v_bits)
    ON CONFLICT DO NOTHING;
  END IF;
END
$$;
