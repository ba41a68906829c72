-- For web processes of the previous version, which pass on what reserve_quote returns; the next release drops it.
CREATE OR REPLACE FUNCTION note_taken(p_merchant_id text, p_family text, p_currency text, p_address text, p_window bigint, p_taken bigint[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_held(p_merchant_id, p_family, p_address, p_window, p_taken);
END
$$;
