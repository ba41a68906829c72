-- Serves transactions of the previous version that are open during the migration; the next release drops it.
CREATE OR REPLACE FUNCTION note_held(p_merchant_id text, p_family text, p_address text, p_window bigint, p_held bigint[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
END
$$;
